// The state that all views share, and how views hear that it changed.
import { useEffect, useState } from "../vendor/preact.js";

const state = {
  phase: "starting", // starting | ready | locked | failed
  failure: null,
  connection: "connecting", // connecting | live | lost | ended
  project: null,
  rules: null, // RulesPayload of the head; null while there are no rules
  ids: [], // the identities of its rules, by which views tell them apart; see identity.js
  versions: { head: null, versions: [], undo: null, redo: null },
  draft: null, // unsaved edits; see draft.js
  evolution: null,
  proofs: {},
  stamps: { table: 0, guardrails: 0, signoff: 0, version: 0 }, // raised when the server says that something changed
  messages: [],
  spoken: "",
};
const listeners = new Set();

export const current = () => state;

export function update(changes) {
  Object.assign(state, changes);
  listeners.forEach((listener) => listener());
}

// Calls `listener` with the state after every change.
export function onUpdate(listener) {
  listeners.add(() => listener(state));
}

export function stamp(name) {
  update({ stamps: { ...state.stamps, [name]: state.stamps[name] + 1 } });
}

export function useStudio() {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = () => render((n) => n + 1);
    listeners.add(listener);
    listener();
    return () => listeners.delete(listener);
  }, []);
  return state;
}

// Says something to a screen reader without moving the focus.
export function speak(text) {
  update({ spoken: text });
}

let nextMessage = 1;

export function tell(kind, text, hint = "") {
  const id = nextMessage;
  nextMessage += 1;
  update({ messages: [...state.messages.slice(-2), { id, kind, text, hint }] });
  if (kind !== "bad") setTimeout(() => dismiss(id), 6000);
}

export function dismiss(id) {
  update({ messages: state.messages.filter((message) => message.id !== id) });
}
