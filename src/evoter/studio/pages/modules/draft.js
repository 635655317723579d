// Unsaved edits: each is tried on the server at once, and kept as a version only with a reason.
import { post } from "./api.js";
import { signature } from "./author.js";
import { percent, plural, points } from "./format.js";
import { freshIds, setRules } from "./identity.js";
import { current, speak, tell, update } from "./store.js";
import { loadVersions } from "./studio.js";

// The draft: {base, ids, edits, undone, preview, error, busy, conflict, rebased, left}. `ids` are the identities of
// the rules of the base (see identity.js), the preview is the answer of POST /api/effect, `rebased` that of POST /api/rebase where some edits do not fit, and `left` are edits that did not.
const EMPTY = { edits: [], undone: [], preview: null, error: null, busy: false, conflict: null, rebased: null, left: [] };

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

const put = (changes) => update({ draft: { ...(current().draft ?? { ...EMPTY, base: current().rules.version, ids: current().ids }), ...changes } });

// The fields of a draft that say on which version it is.
function on(base) {
  const { draft, ids } = current();
  return { base, ids: draft?.base === base ? draft.ids : ids };
}

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
    const left = current().draft?.left ?? [];
    update({ draft: undone.length || left.length ? { ...EMPTY, ...on(base), undone, left } : null });
    return true;
  }
  put({ busy: true, error: null });
  try {
    const preview = await post("/api/effect", { base, edits });
    put({ ...on(base), edits, undone, preview, busy: false });
    speak(effectSentence(preview.effect));
    return true;
  } catch (error) {
    // A slider that is back where it began is no edit: the edit is taken out, and nothing has to be said.
    if (error.more?.edit === edits.length - 1 && error.kind === "no_change") return attempt(edits.slice(0, -1), undone, base);
    if (current().draft?.edits.length || current().draft?.left.length) put({ busy: false, error });
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

// Edits whose base is not the current version are a conflict, which people settle.
export function conflictOf(draft, { head, versions }) {
  if (!draft.edits.length || draft.base === head) return null;
  return versions.find((version) => version.id === head) ?? { id: head };
}

// Makes edits the draft that an earlier page had, of which nothing else is known here.
export async function takeUp({ base, rules, edits, undone }) {
  const { versions } = current();
  if (current().draft?.base !== base) update({ draft: { ...EMPTY, base, ids: base === versions.head ? current().ids : freshIds(rules) } });
  if (await tryEdits(edits, undone, base)) put({ conflict: conflictOf(current().draft, versions), rebased: null });
}

// Lists edits that cannot be made here, with the reason.
export function listEdits(changes, reason) {
  update({ draft: { ...EMPTY, base: current().versions.head, ids: current().ids, left: changes.map((change) => ({ change, reason })) } });
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
    const { left } = draft;
    setRules(answer.rules, null);
    if (left.length) put({ left });
    await loadVersions();
    tell("good", `Kept as version ${answer.version.id}.`, reason);
    return true;
  } catch (error) {
    if (error.kind === "conflict") {
      setRules(error.more.rules);
      put({ busy: false, conflict: error.more.head, rebased: null });
      speak("Somebody else saved a version meanwhile. Your changes are not lost.");
    } else {
      put({ busy: false });
      tell("bad", error.message, error.hint);
    }
    return false;
  }
}

// Makes the same edits on the version that somebody else saved meanwhile, each on the rule that was meant; where some
// do not fit, they are shown first.
export async function rebase() {
  const { draft, rules } = current();
  try {
    const answer = await post("/api/rebase", { base: draft.base, onto: rules.version, edits: draft.edits });
    if (answer.refused.length) {
      put({ rebased: answer });
      speak(`${plural(answer.refused.length, "edit")} cannot be made on version ${answer.base}. Nothing has changed yet.`);
    } else await take(answer, []);
  } catch (error) {
    tell("bad", error.message, error.hint);
  }
}

// Makes those edits on the other version that fit it, and keeps the others in sight.
export function takeFitting() {
  const { rebased } = current().draft;
  return take(rebased, rebased.refused);
}

async function take({ base, edits, made_already: already }, left) {
  if (!edits.length) {
    update({ draft: left.length ? { ...EMPTY, ...on(base), left } : null });
    if (already) tell("info", `Version ${base} has your changes already.`);
  } else if (await tryEdits(edits, [], base)) put({ conflict: null, rebased: null, left });
}

export function dismissLeft() {
  const { draft } = current();
  if (draft.edits.length) put({ left: [] });
  else update({ draft: null });
}

// Goes back to the version that the edits were made on, so that keeping them makes a branch beside the other version.
export async function branch() {
  const { draft, versions } = current();
  try {
    const answer = await post("/api/head", { base: versions.head, version: draft.base, reason: "branch for changes made at the same time", ...signature() });
    setRules(answer.rules, draft, { versions: answer.versions });
    put({ conflict: null, rebased: null });
  } catch (error) {
    tell("bad", error.message, error.hint);
  }
}
