// What is proved about every possible input, or the counterexample, which can be loaded as a case.
import { html, useEffect } from "../../vendor/preact.js";
import { get } from "../api.js";
import { value } from "../format.js";
import { link } from "../router.js";
import { current, update } from "../store.js";
import { Notice } from "./parts.js";

const KINDS = { proved: "good", refuted: "warn", running: "info", unknown: "info", superseded: "info" };
const TITLES = { proved: "Proved for every possible input", running: "Looking for a proof", unknown: "Neither proved nor refuted", superseded: "Replaced by a newer question" };

export function Counterexample({ values }) {
  return html`<dl class="pairs">${Object.entries(values).map(([name, each]) => html`<div><dt>${name}</dt><dd class="number">${value(each)}</dd></div>`)}</dl>`;
}

export const caseLink = (values) => link("case", { values: JSON.stringify(values) });

// A running proof is answered by an event; asking once more covers an event that came too early.
export function useProof(proof) {
  const known = proof && (current().proofs[proof.id] ?? proof);
  useEffect(() => {
    if (known?.state !== "running") return undefined;
    const timer = setTimeout(() => {
      get(`/api/proofs/${encodeURIComponent(known.id)}`).then((answer) => update({ proofs: { ...current().proofs, [answer.id]: answer } }), () => {});
    }, 1500);
    return () => clearTimeout(timer);
  }, [known?.id, known?.state]);
  return known;
}

export function ProofNotice({ proof: given, refuted = "Not for every input" }) {
  const proof = useProof(given);
  if (!proof) return null;
  return html`<${Notice} kind=${KINDS[proof.state]} data-proof=${proof.state}>
    <strong>${proof.state === "refuted" ? refuted : TITLES[proof.state]}</strong>
    <div class="small">${proof.text}${proof.state === "unknown" && proof.reason ? ` (${proof.reason})` : ""}</div>
    ${proof.counterexample && html`<${Counterexample} values=${proof.counterexample} /><a class="small" href=${caseLink(proof.counterexample)}>Open this input as a case</a>`}
  <//>`;
}
