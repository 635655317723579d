// Requests to the server: JSON in, JSON out, and errors that say what to do.
import { tabId, token } from "./token.js";

export class ApiError extends Error {
  constructor(status, { kind = "internal", message = "The server could not answer.", hint = "", ...more } = {}) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.hint = hint;
    this.more = more;
  }
}

const listeners = new Set();

// Calls `listener` with true when a request reached the server, with false when none can.
export function onReach(listener) {
  listeners.add(listener);
}

export function headers() {
  return { "X-Evoter-Token": token() ?? "", "X-Evoter-Tab": tabId };
}

async function send(path, { method = "GET", body, file, signal } = {}) {
  // The studio has no cookies; a proxy that signs people in has one, and must see it.
  const options = { method, headers: headers(), signal, cache: "no-store", credentials: "same-origin" };
  if (file !== undefined) {
    options.headers["Content-Type"] = "application/vnd.sqlite3";
    options.body = file;
  } else if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    listeners.forEach((listener) => listener(false));
    throw new ApiError(0, { kind: "disconnected", message: "The studio's server does not answer.", hint: "What you see is kept. Start the studio again with the same command." });
  }
  listeners.forEach((listener) => listener(true));
  if (response.ok) return response;
  const content = await response.json().catch(() => ({}));
  throw new ApiError(response.status, content.error);
}

export const get = async (path, options) => (await send(path, options)).json();

export const post = async (path, body, options) => (await send(path, { ...options, method: "POST", body })).json();

export const upload = async (path, file) => (await send(path, { method: "POST", file })).json();

export const query = (path, values) => `${path}?${new URLSearchParams(values)}`;

// Saves what a path answers as a file; a link could not send the token.
export async function download(path, name) {
  const blob = await (await send(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
