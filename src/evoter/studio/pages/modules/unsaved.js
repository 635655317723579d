// Unsaved edits outlive a reload of the tab and a new start of the studio: the browser keeps them for the tab.
import { listEdits, takeUp } from "./draft.js";
import { current, onUpdate } from "./store.js";

const KEY = "evoter-draft";

const hashOf = (id) => current().versions.versions.find((version) => version.id === id)?.hash;

// Browsers may forbid the store; then edits last as long as the page.
let last = null;
function store(text) {
  last = text;
  try {
    if (text == null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    return;
  }
}
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? last);
  } catch {
    return JSON.parse(last);
  }
}

function written({ draft }) {
  if (!draft?.edits.length) return null;
  const { base, ids, edits, undone, preview } = draft;
  return JSON.stringify({ base, hash: hashOf(base), rules: ids.length, edits, undone, changes: preview?.changes ?? [] });
}

let known = null;
let paused = true;
onUpdate(({ draft }) => {
  if (paused || draft === known) return;
  known = draft;
  store(written(current()));
});

// What is loaded meanwhile may be another project, which must not write over the edits of this one.
export function holdEdits() {
  paused = true;
}

// Takes up the edits of this tab when the project is there. Those of another project are listed, and not made.
export async function restoreEdits() {
  const kept = stored();
  if (kept && kept.hash && kept.hash === hashOf(kept.base)) await takeUp(kept);
  else if (kept) listEdits(kept.changes, "it was made in another project");
  paused = false;
}
