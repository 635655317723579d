// Effect: what an edit changes in accuracy, for each class and group, in size, and for which rows; and what is proved.
import { html, useState } from "../../../vendor/preact.js";
import { query } from "../../api.js";
import { Change, FiguresOf, Share } from "../../components/figures.js";
import { Card, Choice, ClassName, Empty, Failure, PageHead, Waiting } from "../../components/parts.js";
import { ProofNotice } from "../../components/proof.js";
import { count, percent, signed } from "../../format.js";
import { useLoaded } from "../../loading.js";
import { link } from "../../router.js";
import { current } from "../../store.js";
import { Turned } from "./summary.js";

function Classes({ before, after, classes }) {
  return html`<${Card} title="By class" note="Found: of the rows of this class, the share decided so. Right: of the rows decided so, the share that is." flush>
    <table>
      <thead><tr><th scope="col">Class</th><th scope="col">Found</th><th scope="col" class="amount">Change</th><th scope="col">Right</th><th scope="col" class="amount">Change</th></tr></thead>
      <tbody>
        ${after.classes.map((row, i) => html`<tr>
          <th scope="row"><${ClassName} name=${row.name} classes=${classes} /></th>
          <td><${Share} share=${row.recall} interval=${row.recall_interval} of=${row.rows} /></td>
          <td class="amount"><${Change} before=${before.classes[i]?.recall} after=${row.recall} /></td>
          <td><${Share} share=${row.precision} interval=${row.precision_interval} of=${row.decided} /></td>
          <td class="amount"><${Change} before=${before.classes[i]?.precision} after=${row.precision} /></td>
        </tr>`)}
      </tbody>
    </table>
  <//>`;
}

function Groups({ before, after, stated }) {
  if (!after.groups.length) return null;
  return html`<${Card} title="By group" note=${after.favourable == null ? "Protected columns." : `Protected columns; chosen: the share decided ${after.favourable}${stated ? "" : ", which is assumed to be the favourable decision (say so in Slices)"}.`} flush>
    <table>
      <thead><tr><th scope="col">Group</th><th scope="col">Accuracy</th><th scope="col" class="amount">Change</th><th scope="col">Chosen</th><th scope="col" class="amount">Change</th></tr></thead>
      <tbody>
        ${after.groups.map((row, i) => html`<tr>
          <th scope="row"><span class="label-text">${row.column}: ${row.name}</span>${row.too_few_rows && html`<div class="small warn">few rows</div>`}</th>
          <td><${Share} share=${row.accuracy} interval=${row.interval} of=${row.rows} /></td>
          <td class="amount"><${Change} before=${before.groups[i]?.accuracy} after=${row.accuracy} /></td>
          <td><${Share} share=${row.selected} interval=${row.selected_interval} of=${row.rows} /></td>
          <td class="amount number">${row.selected == null ? "–" : `${signed(Math.round(row.selected * row.rows) - Math.round((before.groups[i]?.selected ?? 0) * (before.groups[i]?.rows ?? 0)))} rows`}</td>
        </tr>`)}
      </tbody>
    </table>
  <//>`;
}

function Rows({ changed, classes }) {
  if (!changed.rows) return null;
  return html`<${Card} title="Rows that are decided otherwise" note=${`${count(changed.rows)} of ${count(changed.of)} training and validation rows; the first ${count(changed.shown.length)} are listed.`} flush>
    <table>
      <thead><tr><th scope="col">Row</th><th scope="col">Part</th><th scope="col">Label</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>
        ${changed.shown.map((row) => html`<tr>
          <th scope="row"><a href=${link("case", { row: row.row })}>${row.identifier ?? `row ${row.row}`}</a></th>
          <td>${row.part}</td>
          <td><${ClassName} name=${row.label} classes=${classes} /></td>
          <td><${ClassName} name=${row.before} classes=${classes} /></td>
          <td><${ClassName} name=${row.after} classes=${classes} />${row.label === row.after ? html` <span class="small good">now right</span>` : row.label === row.before ? html` <span class="small bad">now wrong</span>` : ""}</td>
        </tr>`)}
      </tbody>
    </table>
  <//>`;
}

function Flows({ changed, classes }) {
  if (!changed.flows.length) return null;
  return html`<p class="small muted">On training and validation rows together:</p><ul class="stack tight">${changed.flows.map(
    ([from, to, n]) => html`<li class="row small"><span class="number">${count(n)} ${n === 1 ? "row" : "rows"}</span><${ClassName} name=${from} classes=${classes} /><span class="muted">to</span><${ClassName} name=${to} classes=${classes} /></li>`,
  )}</ul>`;
}

export function EffectBody({ effect, proof, classes, changes = [] }) {
  const [part, setPart] = useState("validation");
  const { before, after } = effect[part];
  const { rules, conditions } = effect.size;
  return html`
    <div class="row spread">
      <${Choice} label="Rows" options=${[["validation", "Validation rows"], ["training", "Training rows"]]} chosen=${part} onChoose=${setPart} />
      <span class="small muted">Size: ${rules[0]} to ${rules[1]} rules, ${conditions[0]} to ${conditions[1]} conditions</span>
    </div>
    <div class="columns half">
      <${Card} title="Accuracy" note=${`${percent(before.accuracy)} before, on the same ${count(after.rows)} rows.`}><${FiguresOf} figures=${after} before=${before} /><//>
      <${Card} title="Decisions"><${Turned} part=${effect[part]} /><${Flows} changed=${effect.changed} classes=${classes} /><//>
    </div>
    <${ProofNotice} proof=${proof} refuted="Some inputs are decided otherwise" />
    ${changes.length > 0 && html`<${Card} title="Changes"><ul class="changes">${changes.map((text) => html`<li><span class="label-text">${text}</span></li>`)}</ul><//>`}
    <${Classes} before=${before} after=${after} classes=${classes} />
    <${Groups} before=${before} after=${after} stated=${current().project.favourable_stated} />
    <${Rows} changed=${effect.changed} classes=${classes} />
  `;
}

function LastVersion({ state, version }) {
  const { data, error, reload } = useLoaded(query("/api/compare", { a: version.parent, b: version.id }), state.stamps.version);
  if (error) return html`<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Waiting} what="the effect" />`;
  return html`<${EffectBody} effect=${data.effect} proof=${data.proof} classes=${state.project.classes} changes=${version.changes} />`;
}

export function EffectView({ state }) {
  const { draft, versions, rules } = state;
  const head = versions.versions.find((version) => version.id === versions.head);
  if (draft?.preview) {
    return html`<${PageHead} title="Effect">Your unsaved edits, compared with version ${draft.base}.<//>
      <${EffectBody} effect=${draft.preview.effect} proof=${draft.preview.proof} classes=${state.project.classes} changes=${draft.preview.changes} />`;
  }
  if (head?.parent != null) {
    return html`<${PageHead} title="Effect">Version ${head.id}, compared with version ${head.parent}. ${head.reason}<//><${LastVersion} state=${state} version=${head} />`;
  }
  return html`<${PageHead} title="Effect">What an edit changes, before and after.<//>
    <${Empty} icon="effect" title="Nothing has been edited yet">
      <p>Change a number, a condition or the order of the rules: accuracy, classes, groups and the rows that are decided otherwise appear here at once.</p>
      <a class="button primary" href=${link(rules ? "rules" : "evolve")}>${rules ? "Edit the rules" : "Evolve rules"}</a>
    <//>`;
}
