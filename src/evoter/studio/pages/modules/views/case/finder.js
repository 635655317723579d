// Finding rows: by number or identifier, by rule, by condition, the wrong ones; page by page.
import { html, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../asking.js";
import { Button, Card, Choice, ClassName, Failure, Waiting } from "../../components/parts.js";
import { count, value } from "../../format.js";
import { go, link } from "../../router.js";
import { Objection } from "../rules/rule_text.js";

const PAGE = 25;

function LookUp({ identifier }) {
  const [typed, setTyped] = useState("");
  const [by, setBy] = useState(identifier ? "id" : "row");
  const open = (event) => {
    event.preventDefault();
    if (typed.trim()) go("case", { [by]: typed.trim() });
  };
  return html`<${Card} title="Look up a case" actions=${identifier && html`<${Choice} label="Look up by" options=${[["id", identifier], ["row", "Row number"]]} chosen=${by} onChoose=${setBy} />`}>
    <form class="filter-line" onSubmit=${open}>
      <div class="field grow">
        <label for="case-number" class="visually-hidden">${by === "id" ? identifier : "Row number"}</label>
        <input id="case-number" value=${typed} inputmode=${by === "row" ? "numeric" : undefined} pattern=${by === "row" ? "[0-9]+" : undefined} placeholder=${by === "id" ? `Value of ${identifier}` : "Row number in the file, from 1"} onInput=${(event) => setTyped(event.target.value)} />
      </div>
      <button type="submit" class="button primary">Open</button>
      <${Button} onClick=${() => go("case", { values: "{}" })}>Input of your own<//>
    </form>
  <//>`;
}

function Filters({ state, values, onSet }) {
  const rules = state.rules.cards;
  const select = (name, label, options) => html`<div class="field">
    <label for=${`find-${name}`}>${label}</label>
    <select id=${`find-${name}`} value=${values.get(name) ?? ""} onChange=${(event) => onSet(name, event.target.value)}>
      ${options.map(([key, text]) => html`<option value=${key} selected=${String(key) === (values.get(name) ?? "")}>${text}</option>`)}
    </select>
  </div>`;
  return html`<div class="fields">
    ${select("part", "Part", [["", "Training and validation"], ["validation", "Validation"], ["training", "Training"]])}
    ${select("rule", "Decided by", [["", "any rule"], ...rules.map((card) => [card.number, card.is_default ? `${card.number}. default` : `rule ${card.number}`])])}
    ${select("label", "Labelled", [["", "anything"], ...state.project.classes.map((name) => [name, name])])}
    ${select("wrong", "Decision", [["", "right or wrong"], ["1", "wrong"], ["0", "right"]])}
  </div>`;
}

function request(values, version, offset) {
  const picked = (name, change) => (values.get(name) ? { [name]: change(values.get(name)) } : {});
  return {
    version,
    part: values.get("part") || "open",
    conditions: values.get("conditions") ?? "",
    ...picked("rule", Number),
    ...picked("label", String),
    ...(values.get("wrong") ? { wrong: values.get("wrong") === "1" } : {}),
    offset,
    limit: PAGE,
  };
}

function Found({ answer, classes, offset, setOffset }) {
  const names = Object.keys(answer.rows[0]?.values ?? {}).slice(0, 5);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Rows found"><table>
      <thead><tr><th scope="col">Case</th><th scope="col">Part</th><th scope="col">Labelled</th><th scope="col">Decided</th><th scope="col" class="amount">Rule</th>${names.map((name) => html`<th scope="col" class="amount">${name}</th>`)}</tr></thead>
      <tbody>${answer.rows.map((row) => html`<tr key=${row.row}>
        <th scope="row"><a href=${link("case", { row: row.row })}>${row.identifier ?? `row ${row.row}`}</a></th>
        <td class="muted">${row.part}</td>
        <td><${ClassName} name=${row.label} classes=${classes} /></td>
        <td><${ClassName} name=${row.decision} classes=${classes} /> ${row.right ? html`<span class="small good">right</span>` : html`<span class="small bad">wrong</span>`}</td>
        <td class="amount">${row.rule}</td>
        ${names.map((name) => html`<td class="amount">${value(row.values[name])}</td>`)}
      </tr>`)}</tbody>
    </table></div>
    <div class="row spread">
      <span class="small muted number">${answer.total ? `${count(offset + 1)} to ${count(Math.min(offset + PAGE, answer.total))} of ${count(answer.total)} rows` : "No row fits."}</span>
      <div class="row"><${Button} small disabled=${offset === 0} onClick=${() => setOffset(Math.max(0, offset - PAGE))}>Earlier<//><${Button} small disabled=${offset + PAGE >= answer.total} onClick=${() => setOffset(offset + PAGE)}>Later<//></div>
    </div>`;
}

export function Finder({ state, values }) {
  const [offset, setOffset] = useState(0);
  const { data, error, retry } = useAnswer("/api/rows", request(values, state.rules.version, offset), state.rules.version);
  const set = (name, next) => {
    setOffset(0);
    const kept = Object.fromEntries([...values].filter(([key]) => key !== name));
    go("case", next === "" ? kept : { ...kept, [name]: next });
  };
  return html`
    <${LookUp} identifier=${state.project.identifier} />
    <${Card} title="Find cases" note="Test rows are not among them.">
      <${Filters} state=${state} values=${values} onSet=${set} />
      ${values.get("conditions") && html`<div class="row small"><code class="label-text">${values.get("conditions")}</code><${Button} small kind="quiet" onClick=${() => set("conditions", "")}>Any row<//></div>`}
      ${error && (error.kind === "rule" ? html`<${Objection} error=${error} />` : html`<${Failure} error=${error} onRetry=${retry} />`)}
      ${data ? html`<${Found} answer=${data} classes=${state.project.classes} offset=${offset} setOffset=${setOffset} />` : !error && html`<${Waiting} what="rows" />`}
    <//>`;
}
