// Which decision is favourable for the person it is about: stated, or assumed until somebody says so with one click.
import { html } from "../../vendor/preact.js";
import { post } from "../api.js";
import { signature } from "../author.js";
import { speak, tell, update } from "../store.js";
import { loadRules, loadVersions } from "../studio.js";
import { Choice, Notice } from "./parts.js";

async function choose(favourable) {
  try {
    update({ project: await post("/api/favourable", { favourable, ...signature() }) });
    await Promise.all([loadRules(), loadVersions()]);
    speak(`${favourable} is now the favourable decision.`);
  } catch (error) {
    tell("bad", error.message, error.hint);
  }
}

export function Favourable({ project }) {
  const { classes, favourable, favourable_stated: stated, protected: groups } = project;
  if (!groups.length) return null;
  const options = classes.slice(0, 12).map((name) => [name, name]);
  const asked = favourable == null ? "Groups are compared for every decision." : `Nobody has said which decision is good for the person it is about: ${favourable} is assumed, because its name comes second.`;
  const buttons = html`<${Choice} label="Favourable decision" options=${options} chosen=${stated ? favourable : null} onChoose=${choose} />`;
  if (stated) return html`<div class="row favourable"><span class="small">Favourable decision, for the person it is about:</span>${buttons}</div>`;
  return html`<${Notice} kind=${favourable == null ? "info" : "warn"}><strong>Which decision is favourable?</strong> <span class="small">${asked}</span><div class="row">${buttons}</div><//>`;
}
