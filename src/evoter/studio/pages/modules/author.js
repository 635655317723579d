// Who works in this browser: the name goes into every record, unless the server takes it from a sign-on.
import { current } from "./store.js";

const KEY = "evoter-author";

export function author() {
  const { project } = current();
  if (project?.author_fixed) return project.author;
  try {
    return localStorage.getItem(KEY) || project?.author || "";
  } catch {
    return project?.author ?? "";
  }
}

export function setAuthor(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // The name of the command line is used then.
  }
}

// The fields of a request that say who it is from.
export function signature() {
  const { project } = current();
  const name = author();
  return project?.author_fixed || !name ? {} : { author: name };
}
