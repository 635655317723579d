// Events from the server, read from a streamed answer because EventSource cannot send the token.
import { headers } from "./api.js";

const WAITS = [500, 1000, 2000, 4000, 8000];
const SILENCE = 25_000;

// Parses one block of a stream into its event name and its data; comments have neither.
function parse(block) {
  const event = { name: "message", data: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event.name = line.slice(6).trim();
    else if (line.startsWith("data:")) event.data += line.slice(5).trim();
  }
  return event.data ? { name: event.name, data: JSON.parse(event.data) } : null;
}

async function read(onEvent) {
  const control = new AbortController();
  const response = await fetch("/api/events", { headers: headers(), cache: "no-store", signal: control.signal });
  if (!response.ok) throw new Error(String(response.status));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // A server that says nothing, not even a comment, has gone without closing the connection.
    const timer = setTimeout(() => control.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    blocks.map(parse).filter(Boolean).forEach(onEvent);
  }
}

// Listens for ever, connecting again after a loss; `onState` hears "live", "lost" or "refused".
export async function listen(onEvent, onState) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await read((event) => {
        attempt = 0;
        if (event.name === "hello") onState("live");
        onEvent(event);
      });
      onState("lost");
    } catch (problem) {
      onState(problem.message === "401" ? "refused" : "lost");
      if (problem.message === "401") return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(attempt, WAITS.length - 1)]));
  }
}
