// Table: what each column was taken for, what is doubtful about it, and correcting it.
import { html, useState } from "../../../vendor/preact.js";
import { post } from "../../api.js";
import { signature } from "../../author.js";
import { Badge, Button, Card, Choice, Failure, Notice, PageHead, Waiting } from "../../components/parts.js";
import { count, plural } from "../../format.js";
import { useLoaded } from "../../loading.js";
import { speak, tell } from "../../store.js";
import { loadProject, loadRules } from "../../studio.js";
import { Distribution } from "./distribution.js";

const WORDS = { number: "a number", category: "a category", drop: "left out", id: "an identifier", auto: "as found" };
const REASONS = { number: "is a number", category: "is a category", drop: "is left out", id: "identifies rows", auto: "is taken as found" };

function Correct({ column, onCorrect, busy }) {
  if (!column.corrections.length) return null;
  const id = `correct-${column.name}`;
  return html`<span class="field inline">
    <label for=${id} class="visually-hidden">Take ${column.name} as</label>
    <select id=${id} disabled=${busy} value=${column.chosen ?? ""} onChange=${(event) => event.target.value && onCorrect(column, event.target.value)}>
      <option value="" selected=${!column.chosen}>Take as …</option>
      ${column.corrections.map((to) => html`<option value=${to} selected=${to === column.chosen}>${WORDS[to] ?? to}</option>`)}
    </select>
  </span>`;
}

function Doubt({ warning, column, onCorrect, busy }) {
  const { concern, finding, remedy } = warning;
  return html`<${Notice} kind="warn">
    <strong class="label-text">${column.name}: ${finding ?? concern}</strong>
    ${remedy && html`<div class="small">${remedy}</div>`}
    <div class="row doubt-actions">
      ${column.corrections.filter((to) => to !== column.chosen && to !== "auto").map((to) => html`<${Button} key=${to} small disabled=${busy} onClick=${() => onCorrect(column, to)}>Take as ${WORDS[to] ?? to}<//>`)}
    </div>
  <//>`;
}

function Row({ column, open, onOpen, onCorrect, busy }) {
  return html`<tr>
      <th scope="row">
        <button type="button" class="column-name" aria-expanded=${String(open)} onClick=${onOpen}><span class="label-text">${column.name}</span></button>
        ${column.protected && html` <${Badge} kind="accent">protected<//>`}
      </th>
      <td>${column.role === "feature" ? "feature" : html`<strong>${column.role}</strong>`}</td>
      <td>${column.kind}${column.unit ? html` <span class="muted">(${column.unit})</span>` : ""}</td>
      <td class="muted values">${column.values}</td>
      <td class="amount">${count(column.missing)}</td>
      <td>${column.warnings.length ? html`<${Badge} kind="warn" icon="warn">${plural(column.warnings.length, "doubt")}<//>` : html`<span class="muted small">none</span>`}${column.note && html`<div class="small muted">${column.note}</div>`}</td>
      <td><${Correct} column=${column} onCorrect=${onCorrect} busy=${busy} /></td>
    </tr>
    ${open && html`<tr class="detail"><td colspan="7"><${Distribution} name=${column.name} /></td></tr>`}`;
}

export function TableView({ state }) {
  const { data, error, reload, replace } = useLoaded("/api/table", state.stamps.table);
  const [open, setOpen] = useState(null);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState("all");
  const correct = async (column, to) => {
    setBusy(true);
    try {
      const body = { column: column.name, to, reason: `${column.name} ${REASONS[to] ?? to}`, revision: data.revision, ...signature() };
      replace(await post("/api/table/corrections", body));
      speak(`${column.name} is now taken as ${WORDS[to] ?? to}.`);
      await Promise.all([loadProject(), loadRules()]);
    } catch (problem) {
      tell("bad", problem.message, problem.hint);
      reload();
    }
    setBusy(false);
  };
  const { rows, target } = state.project;
  const head = html`<${PageHead} title="Table">
    ${plural(rows.total, "row")}, of which ${count(rows.training)} serve learning, ${count(rows.validation)} judging edits, and ${count(rows.test)} stay closed until sign-off. The target is <strong class="label-text">${target}</strong>.
  <//>`;
  if (error) return html`${head}<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`${head}<${Waiting} what="the table" />`;
  const doubtful = data.columns.filter((column) => column.warnings.length);
  const listed = shown === "all" ? data.columns : doubtful;
  return html`${head}
    ${doubtful.length > 0
      ? html`<section class="stack tight" aria-label="Doubts">
          <h2>${plural(doubtful.length, "column")} to look at</h2>
          ${doubtful.flatMap((column) => column.warnings.map((warning) => html`<${Doubt} warning=${warning} column=${column} onCorrect=${correct} busy=${busy} />`))}
        </section>`
      : html`<${Notice} kind="good">No column looks doubtful: no identifiers among the features, no dates read as numbers, nothing that gives the target away.<//>`}
    ${data.messages.map((text) => html`<${Notice} kind="info">${text}<//>`)}
    <${Card}
      title=${plural(data.columns.length, "column")}
      note="Open a column to see its values."
      actions=${html`<${Choice} label="Columns" options=${[["all", "All"], ["doubts", `With doubts (${doubtful.length})`]]} chosen=${shown} onChoose=${setShown} />`}
      flush
    >
      <table>
        <thead><tr><th scope="col">Column</th><th scope="col">Role</th><th scope="col">Taken for</th><th scope="col">Values</th><th scope="col" class="amount">Missing</th><th scope="col">Doubts</th><th scope="col">Correct</th></tr></thead>
        <tbody>
          ${listed.map((column) => html`<${Row} key=${column.name} column=${column} open=${open === column.name} onOpen=${() => setOpen(open === column.name ? null : column.name)} onCorrect=${correct} busy=${busy} />`)}
        </tbody>
      </table>
    <//>`;
}
