// Which rule is which, whatever its number: what is open on a rule stays with it when rules move, come and go.
import { current, update } from "./store.js";

let next = 1;

function fresh() {
  next += 1;
  return next;
}

export const freshIds = (n) => Array.from({ length: n }, fresh);

// Rules as they are shown: with the unsaved edits if there are any.
export const shownRules = (state) => state.draft?.preview?.rules ?? state.rules;

// The identities of the rules that are shown, in their order.
export function shownIds({ ids, draft }) {
  return draft?.preview ? afterEdits(draft) : ids;
}

// Identities of added rules are kept by the edit that added them, so that they are the same at every rendering.
const added = new WeakMap();

function idOf(edit) {
  if (!added.has(edit)) added.set(edit, fresh());
  return added.get(edit);
}

function afterEdits({ ids, edits, preview }) {
  let found = [...ids];
  for (const edit of edits) {
    const [number, to] = edit.arguments;
    if (edit.operation === "add") found.push(idOf(edit));
    else if (edit.operation === "insert") found.splice(number - 1, 0, idOf(edit));
    else if (edit.operation === "drop") found.splice(number - 1, 1);
    else if (edit.operation === "move") found.splice(to - 1, 0, ...found.splice(number - 1, 1));
    else if (edit.operation === "rewrite") found = preview.rules.cards.map((_, place) => `${idOf(edit)}-${place}`);
  }
  return found;
}

// Makes rules those of the current version. A rule that says what one of those shown says is the same rule.
export function setRules(rules, draft = current().draft, more = {}) {
  const state = current();
  const before = (shownRules(state)?.cards ?? []).map((card, place) => [card.text, shownIds(state)[place]]);
  const ids = (rules?.cards ?? []).map((card) => {
    const place = before.findIndex(([text]) => text === card.text);
    return place < 0 ? fresh() : before.splice(place, 1)[0][1];
  });
  update({ rules, draft, ids, ...more });
}
