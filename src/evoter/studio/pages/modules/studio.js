// Loading the project, following the server's events, undo and redo.
import { get, onReach, post } from "./api.js";
import { signature } from "./author.js";
import { conflictOf, tryEdits } from "./draft.js";
import { listen } from "./events.js";
import { setRules } from "./identity.js";
import { current, speak, stamp, tell, update } from "./store.js";
import { tabId, takeLink, takeToken } from "./token.js";
import { holdEdits, restoreEdits } from "./unsaved.js";

export async function loadRules() {
  try {
    setRules(await get("/api/rules"));
  } catch (error) {
    if (error.kind !== "no_rules") throw error;
    setRules(null);
  }
}

export async function loadVersions() {
  update({ versions: await get("/api/versions") });
  stamp("version");
}

export async function loadProject() {
  update({ project: await get("/api/project") });
}

async function loadAll() {
  await loadProject();
  await Promise.all([loadRules(), loadVersions(), get("/api/evolution").then((evolution) => update({ evolution }))]);
}

// Shows everything anew; unsaved edits stay, and are told apart from what is there by now.
export async function reload() {
  const { draft } = current();
  await loadAll();
  ["table", "guardrails", "signoff", "version"].forEach(stamp);
  const { versions, ids } = current();
  if (!draft || draft.base === versions.head) return;
  update({ draft: draft.edits.length ? { ...draft, conflict: conflictOf(draft, versions), rebased: null } : { ...draft, base: versions.head, ids, undone: [] } });
}

let listening = false;

async function connect() {
  holdEdits();
  try {
    await (current().phase === "ready" ? reload() : loadAll());
    await restoreEdits();
    update({ phase: "ready" });
    if (!listening) update({ connection: "connecting" });
    document.title = `${current().project.name} · EVOTER studio`;
  } catch (error) {
    if (error.kind === "token") refused();
    else if (current().phase !== "ready") update({ phase: "failed", failure: error });
    return;
  }
  if (listening) return;
  listening = true;
  listen(heard, connectionChanged).then(() => {
    listening = false;
  });
}

// Every start of the studio has a token of its own. What is shown stays, for the sake of unsaved edits.
function refused() {
  update(current().phase === "ready" ? { connection: "refused" } : { phase: "locked" });
}

// Goes on with the link of a studio that was started again; answers whether it is the right one.
export async function openLink(link) {
  if (!takeLink(link)) return false;
  await connect();
  return current().phase === "ready" && current().connection !== "refused";
}

export function start() {
  onReach((reached) => {
    if (!reached) update({ connection: "lost" });
  });
  // A link that is opened where the studio is open already changes nothing but what follows "#".
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#token=")) return;
    takeToken();
    connect();
  });
  if (takeToken()) connect();
  else update({ phase: "locked" });
}

async function connectionChanged(state) {
  const before = current().connection;
  if (state === "refused") return refused();
  if (state === "lost" && before === "ended") return undefined; // it said that it ends
  update({ connection: state });
  if (state === "live" && (before === "lost" || before === "ended")) {
    speak("The connection is back.");
    await connect();
  }
  return undefined;
}

const HANDLERS = {
  version: async ({ version, tab }) => {
    if (tab === tabId) return;
    await Promise.all([loadRules(), loadVersions()]);
    const { draft, ids, versions } = current();
    // What was undone, or could not be applied, has no version of its own to wait on.
    if (draft && !draft.edits.length) update({ draft: { ...draft, base: versions.head, ids, undone: [] } });
    if (draft?.edits.length && draft.base !== current().versions.head) update({ draft: { ...draft, conflict: version, rebased: null } });
    tell("info", `${version.author || "Somebody"} made version ${current().versions.head} the current one.`, version.reason);
  },
  proof: (proof) => update({ proofs: { ...current().proofs, [proof.id]: proof } }),
  project: async ({ tab }) => {
    if (tab === tabId) return;
    await reload();
    tell("info", "The project was changed elsewhere: it is shown as it is now.");
  },
  guardrails: () => stamp("guardrails"),
  table: () => stamp("table"),
  signoff: () => stamp("signoff"),
  evolution: ({ record, front, ...run }) => {
    const known = current().evolution ?? { history: [], front: [] };
    const restarted = record && known.history.length && record.generation < known.history.at(-1).generation;
    const history = restarted ? [] : known.history;
    const grown = record && record.generation !== history.at(-1)?.generation ? [...history, record] : history;
    update({ evolution: { ...known, ...run, history: grown, front: front ?? known.front } });
    if (["paused", "finished", "failed"].includes(run.state) && run.state !== known.state) get("/api/evolution").then((evolution) => update({ evolution }), () => {});
  },
  bye: () => update({ connection: "ended" }),
};

function heard({ name, data }) {
  Promise.resolve(HANDLERS[name]?.(data)).catch(() => {});
}

export async function moveHead(version, reason) {
  const { versions } = current();
  try {
    const answer = await post("/api/head", { base: versions.head, version, ...(reason ? { reason } : {}), ...signature() });
    setRules(answer.rules, current().draft, { versions: answer.versions });
    stamp("version");
    speak(`Version ${answer.versions.head} is the current one.`);
  } catch (error) {
    tell("bad", error.message, error.hint);
    if (error.kind === "conflict") await Promise.all([loadRules(), loadVersions()]);
  }
}

// Undo and redo take back unsaved edits first, and then go from version to version.
export function undoTarget({ draft, versions }) {
  return draft?.edits.length ? "edit" : versions.undo;
}

export function redoTarget({ draft, versions }) {
  return draft ? (draft.undone.length ? "edit" : null) : versions.redo;
}

export function undo() {
  const { draft } = current();
  const target = undoTarget(current());
  if (target === "edit") return tryEdits(draft.edits.slice(0, -1), [draft.edits.at(-1), ...draft.undone]);
  return target == null ? null : moveHead(target);
}

export function redo() {
  const { draft } = current();
  const target = redoTarget(current());
  if (target === "edit") return tryEdits([...draft.edits, draft.undone[0]], draft.undone.slice(1));
  return target == null ? null : moveHead(target);
}
