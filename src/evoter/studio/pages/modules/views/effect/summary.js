// The effect of the unsaved edits in brief, beside the rules; without edits, how the current version does.
import { html } from "../../../vendor/preact.js";
import { Change, FiguresOf, Share } from "../../components/figures.js";
import { Card, ClassName } from "../../components/parts.js";
import { ProofNotice } from "../../components/proof.js";
import { count, plural, signed } from "../../format.js";
import { link } from "../../router.js";

export function ClassTable({ before, after, classes }) {
  return html`<table class="class-table">
    <caption class="visually-hidden">Recall and precision of each class</caption>
    <thead><tr><th scope="col">Class</th><th scope="col">Found</th>${before && html`<th scope="col" class="amount">Change</th>`}</tr></thead>
    <tbody>
      ${after.classes.map((row, i) => html`<tr>
        <th scope="row"><${ClassName} name=${row.name} classes=${classes} /></th>
        <td><${Share} share=${row.recall} interval=${row.recall_interval} of=${row.rows} small /></td>
        ${before && html`<td class="amount"><${Change} before=${before.classes[i]?.recall} after=${row.recall} /></td>`}
      </tr>`)}
    </tbody>
  </table>`;
}

export function Turned({ part }) {
  return html`<div class="turned">
    <div><span class="value number">${count(part.changed)}</span><span class="small muted">of ${count(part.after.rows)} rows decided otherwise</span></div>
    <div><span class="value number good">${signed(part.gained)}</span><span class="small muted">now right</span></div>
    <div><span class="value number bad">${part.lost ? signed(-part.lost) : "±0"}</span><span class="small muted">now wrong</span></div>
  </div>`;
}

export function EffectSummary({ state }) {
  const preview = state.draft?.preview;
  const classes = state.project.classes;
  if (!preview) {
    return html`<${Card} title="This version" note="On validation rows, which no rule was learnt from.">
      <${FiguresOf} figures=${state.rules.validation} />
      <${ClassTable} after=${state.rules.validation} classes=${classes} />
      <p class="small muted">Change a number, a rule or their order: the effect appears here before anything is saved.</p>
    <//>`;
  }
  const { effect, changes, proof } = preview;
  return html`<${Card} title="Effect of your edits" note=${`${plural(changes.length, "change")} since version ${state.draft.base}, not saved yet.`}>
    <${FiguresOf} figures=${effect.validation.after} before=${effect.validation.before} label="Validation accuracy" />
    <${Turned} part=${effect.validation} />
    <${ClassTable} before=${effect.validation.before} after=${effect.validation.after} classes=${classes} />
    <${ProofNotice} proof=${proof} refuted="Some inputs are decided otherwise" />
    <ul class="changes">${changes.map((text) => html`<li class="small"><span class="label-text">${text}</span></li>`)}</ul>
    <a class="small" href=${link("effect")}>All figures and the rows that change</a>
  <//>`;
}
