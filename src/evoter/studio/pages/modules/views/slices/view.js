// Slices: rows chosen by any condition, the same figures there, and how groups fare.
import { html, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../asking.js";
import { Intervals } from "../../charts/intervals.js";
import { FiguresOf, Share } from "../../components/figures.js";
import { Button, Card, Choice, Empty, Failure, Notice, PageHead, Waiting } from "../../components/parts.js";
import { count, percent, percentRange, points } from "../../format.js";
import { shownRules } from "../../identity.js";
import { go, link } from "../../router.js";
import { Objection } from "../rules/rule_text.js";
import { Audit } from "./audit.js";

const PARTS = [["validation", "Validation rows"], ["training", "Training rows"], ["open", "Both"]];

function Filter({ rules, text, onFilter, error }) {
  const [typed, setTyped] = useState(text);
  const apply = (next) => {
    setTyped(next);
    onFilter(next);
  };
  const add = (feature) => apply(`${typed.trim() ? `${typed.trim()} AND ` : ""}${feature.text} ${feature.kind === "numeric" ? `> ${Number(((feature.low + feature.high) / 2).toPrecision(3))}` : `= ${feature.categories?.[0] ? JSON.stringify(feature.categories[0]) : "true"}`}`);
  return html`<${Card} title="Which rows">
    <form class="stack tight" onSubmit=${(event) => { event.preventDefault(); onFilter(typed); }}>
      <div class="filter-line">
        <div class="field grow">
          <label for="slice-text" class="visually-hidden">Conditions</label>
          <input id="slice-text" class="rule-text" value=${typed} placeholder="age > 60 AND sex = f (empty: all rows)" spellcheck="false" autocomplete="off" aria-invalid=${error ? "true" : undefined} onInput=${(event) => setTyped(event.target.value)} />
        </div>
        <button type="submit" class="button primary">Show</button>
        <${Button} onClick=${() => apply("")} disabled=${!typed && !text}>All rows<//>
      </div>
      ${error && html`<${Objection} error=${error} />`}
      <div class="field inline start-condition">
        <label for="slice-feature">Start a condition on</label>
        <select id="slice-feature" onChange=${(event) => { const found = rules.features[Number(event.target.value)]; if (found) add(found); event.target.value = ""; }}>
          <option value="">choose a feature</option>
          ${rules.features.map((feature, i) => html`<option value=${i}>${feature.name}</option>`)}
        </select>
      </div>
    </form>
  <//>`;
}

function Against({ answer }) {
  const { inside, outside, difference } = answer;
  const rows = [
    { name: "In the slice", detail: `${count(inside.rows)} rows`, estimate: inside.accuracy, low: inside.interval?.[0], high: inside.interval?.[1], text: `${percent(inside.accuracy)} (${percentRange(...(inside.interval ?? []))})` },
    ...(outside ? [{ name: "All other rows", detail: `${count(outside.rows)} rows`, estimate: outside.accuracy, low: outside.interval?.[0], high: outside.interval?.[1], text: `${percent(outside.accuracy)} (${percentRange(...(outside.interval ?? []))})` }] : []),
  ];
  const gap = difference?.accuracy;
  const clear = gap?.interval && (gap.interval[0] > 0 || gap.interval[1] < 0);
  return html`<${Card} title="Accuracy here and elsewhere">
    <${Intervals} rows=${rows} domain=${[Math.min(0.4, ...rows.map((row) => row.low ?? 1)), 1]} write=${(n) => percent(n, 0)} />
    ${gap && gap.value != null && html`<p class="small">Difference <strong class="number">${points(gap.value)}</strong> <span class="muted">(${points(gap.interval[0])} to ${points(gap.interval[1])})</span>: ${clear ? html`<strong class="warn">clear</strong>` : "may be chance"}.</p>`}
  <//>`;
}

function Deciding({ cards, conditions, part }) {
  return html`<${Card} title="Which rules decide here" flush>
    <table>
      <thead><tr><th scope="col">Rule</th><th scope="col" class="amount">Decides</th><th scope="col">Right</th></tr></thead>
      <tbody>${cards.map((card) => html`<tr>
        <th scope="row"><span class="muted">${card.number}.</span> <code class="label-text">${card.text}</code></th>
        <td class="amount">${count(card.stat.decided)} of ${count(card.stat.rows)}</td>
        <td><${Share} share=${card.stat.precision} interval=${card.stat.interval} of=${card.stat.decided} /></td>
      </tr>`)}</tbody>
    </table>
    <p class="card-note"><a href=${link("case", { conditions, part, wrong: 1 })}>Wrong decisions of this slice, row by row</a></p>
  <//>`;
}

export function SlicesView({ state, values }) {
  const conditions = values.get("conditions") ?? "";
  const [part, setPart] = useState("validation");
  const rules = shownRules(state);
  const version = state.rules?.version;
  const { data, error, retry } = useAnswer("/api/slice", state.rules ? { version, conditions, part } : null, version, state.project.favourable);
  const head = html`<${PageHead} title="Slices" actions=${rules && html`<${Choice} label="Rows" options=${PARTS} chosen=${part} onChoose=${setPart} />`}>Figures for any group of rows, and where groups differ more than chance explains.<//>`;
  if (!rules) return html`${head}<${Empty} icon="slices" title="There are no rules to examine yet"><a class="button primary" href=${link("evolve")}>Evolve rules</a><//>`;
  const objection = error?.kind === "rule" || error?.kind === "schema" ? error : null;
  return html`${head}
    ${state.draft?.edits.length > 0 && html`<${Notice} kind="info">These figures are those of version ${version}; your unsaved edits are not in them.<//>`}
    <${Filter} key=${conditions} rules=${rules} text=${conditions} error=${objection} onFilter=${(text) => go("slices", text ? { conditions: text } : {})} />
    ${error && !objection && html`<${Failure} error=${error} onRetry=${retry} />`}
    ${!data && !error && html`<${Waiting} what="figures" />`}
    ${data &&
    !objection &&
    html`<p class="small" role="status"><strong class="number">${count(data.rows)}</strong> of ${count(data.of)} rows${data.conditions ? html`: <code class="label-text">${data.conditions}</code>` : ""}</p>
      ${data.inside
        ? html`<div class="columns half">
              <${Card} title=${conditions ? "In this slice" : "All rows"}><${FiguresOf} figures=${data.inside} /><//>
              ${data.outside && html`<${Against} answer=${data} />`}
            </div>
            <${Deciding} cards=${data.cards} conditions=${conditions} part=${part} />`
        : html`<${Empty} icon="slices" title="No row fits"><p>No row of this part meets all conditions. Remove one, or widen a number.</p><//>`}`}
    <${Audit} state=${state} part=${part} />`;
}
