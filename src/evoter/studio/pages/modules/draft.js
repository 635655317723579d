// Unsaved edits: each is tried on the server at once, and kept as a version only with a reason.
import { post } from "./api.js";
import { signature } from "./author.js";
import { percent, plural, points } from "./format.js";
import { current, speak, tell, update } from "./store.js";
import { loadVersions } from "./studio.js";

// The draft: {base, edits, undone, preview, error, busy, conflict}. The preview is the answer of POST /api/effect.
const EMPTY = { edits: [], undone: [], preview: null, error: null, busy: false, conflict: null };

// Attempts run one after another and only the last one waits, so that a slider shows effects while it moves.
let latest = 0;
let chain = Promise.resolve();
let wanted = null;

// Edits of the same number in a row are one edit: moving a slider is not forty changes.
function joined(edits, edit) {
  const last = edits.at(-1);
  const same = last && edit.operation === "replace_condition" && last.operation === edit.operation && last.arguments[0] === edit.arguments[0] && last.arguments[1] === edit.arguments[1];
  return same ? [...edits.slice(0, -1), edit] : [...edits, edit];
}

const put = (changes) => update({ draft: { ...(current().draft ?? { ...EMPTY, base: current().rules.version }), ...changes } });

// Rules as they are shown: with the unsaved edits if there are any.
export const shownRules = (state) => state.draft?.preview?.rules ?? state.rules;

export function edit(operation, ...values) {
  return tryEdits(joined(wanted ?? current().draft?.edits ?? [], { operation, arguments: values }), []);
}

// Tries edits on the server and makes them the draft; answers whether they could be applied.
export function tryEdits(edits, undone, base = current().draft?.base ?? current().rules.version) {
  latest += 1;
  const mine = latest;
  wanted = edits;
  const task = chain.then(() => (mine === latest ? attempt(edits, undone, base) : false)).finally(() => {
    if (mine === latest) wanted = null;
  });
  chain = task;
  return task;
}

async function attempt(edits, undone, base) {
  if (!edits.length) {
    update({ draft: undone.length ? { ...EMPTY, base, undone } : null });
    return true;
  }
  put({ busy: true, error: null });
  try {
    const preview = await post("/api/effect", { base, edits });
    put({ base, edits, undone, preview, busy: false });
    speak(effectSentence(preview.effect));
    return true;
  } catch (error) {
    // A slider that is back where it began is no edit: the edit is taken out, and nothing has to be said.
    if (error.more?.edit === edits.length - 1 && /changes nothing/.test(error.message)) return attempt(edits.slice(0, -1), undone, base);
    if (current().draft?.edits.length) put({ busy: false, error });
    else update({ draft: null });
    tell("bad", error.message, error.hint);
    return false;
  }
}

// Tries a text without making it part of the draft; throws what the server says about it.
export function check(edits, signal) {
  const { draft, rules } = current();
  return post("/api/effect", { base: draft?.base ?? rules.version, edits: [...(draft?.edits ?? []), ...edits] }, { signal });
}

export function effectSentence(effect) {
  const { before, after, changed, gained, lost } = effect.validation;
  if (!changed) return `No decision on the ${plural(after.rows, "validation row")} changes.`;
  return (
    `Validation accuracy ${percent(before.accuracy)} to ${percent(after.accuracy)} (${points(after.accuracy - before.accuracy)}). ` +
    `${plural(changed, "row")} of ${after.rows} decided otherwise: ${gained} now right, ${lost} now wrong.`
  );
}

export function discard() {
  latest += 1;
  wanted = null;
  update({ draft: null });
  speak("The unsaved changes are gone.");
}

export async function keep(reason) {
  const { draft } = current();
  put({ busy: true });
  try {
    const answer = await post("/api/versions", { base: draft.base, edits: draft.edits, reason, ...signature() });
    update({ draft: null, rules: answer.rules });
    await loadVersions();
    tell("good", `Kept as version ${answer.version.id}.`, reason);
    return true;
  } catch (error) {
    if (error.kind === "conflict") {
      put({ busy: false, conflict: error.more.head });
      speak("Somebody else saved a version meanwhile. Your changes are not lost.");
    } else {
      put({ busy: false });
      tell("bad", error.message, error.hint);
    }
    return false;
  }
}

// Tries the same edits on the version that somebody else saved meanwhile.
export async function rebase() {
  const { draft, rules } = current();
  const done = await tryEdits(draft.edits, [], rules.version);
  if (done) put({ conflict: null });
}

// Goes back to the version that the edits were made on, so that keeping them makes a branch beside the other version.
export async function branch() {
  const { draft, versions } = current();
  try {
    const answer = await post("/api/head", { base: versions.head, version: draft.base, reason: "branch for changes made at the same time", ...signature() });
    update({ rules: answer.rules, versions: answer.versions });
    put({ conflict: null });
  } catch (error) {
    tell("bad", error.message, error.hint);
  }
}
