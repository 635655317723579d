// Case: look a row up, read why it is decided so, move its values, see the nearest change that alters the decision.
import { html, useMemo, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../asking.js";
import { Badge, Button, ClassName, Empty, Failure, Notice, PageHead, Waiting } from "../../components/parts.js";
import { plural } from "../../format.js";
import { go, link } from "../../router.js";
import { Decision } from "./decision.js";
import { Finder } from "./finder.js";
import { Values } from "./values.js";

// Values in the address come from a counterexample; anything that is not an object is ignored.
function given(text) {
  try {
    const found = JSON.parse(text ?? "null");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

// An input to begin with: the middle of each range, and the first of each list.
function middle(features) {
  const of = ({ kind, low, high, decimals, categories }) => {
    if (kind === "boolean") return false;
    if (kind !== "numeric") return categories[0] ?? null;
    return low == null || high == null ? null : Number(((low + high) / 2).toFixed(decimals ?? 1));
  };
  return Object.fromEntries(features.map((feature) => [feature.name, of(feature)]));
}

function Opened({ state, row, identifier, start }) {
  const [changed, setChanged] = useState(start);
  const [to, setTo] = useState("");
  const version = state.rules.version;
  const body = {
    version,
    ...(row == null ? {} : { row }),
    ...(identifier == null ? {} : { identifier }),
    ...(Object.keys(changed).length || (row == null && identifier == null) ? { values: changed } : {}),
    ...(to ? { to } : {}),
  };
  const { data, error, retry } = useAnswer("/api/case", body, version);
  if (error && !data) return html`<${Failure} error=${error} onRetry=${retry} />`;
  if (!data) return html`<${Waiting} what="the case" />`;
  const moved = data.original ? Object.keys(changed).length : 0;
  const name = data.row == null ? "An input of your own" : data.identifier != null ? `${data.identifier} (row ${data.row})` : `Row ${data.row}`;
  const set = (feature, next) => {
    const rest = { ...changed };
    if (data.original && next === data.original[feature]) delete rest[feature];
    else rest[feature] = next;
    setChanged(rest);
  };
  return html`
    <div class="row spread">
      <div class="row"><h2>${name}</h2>${data.part && html`<${Badge}>${data.part}<//>`}${data.label != null && html`<span class="small muted">labelled</span> <${ClassName} name=${data.label} classes=${state.project.classes} />`}${moved > 0 && html`<${Badge} kind="warn">${plural(moved, "value")} moved<//>`}</div>
      <div class="row">${moved > 0 && html`<${Button} small icon="undo" onClick=${() => setChanged({})}>Values of the row<//>`}<${Button} small onClick=${() => go("case")}>Another case<//></div>
    </div>
    ${state.draft?.edits.length > 0 && html`<${Notice} kind="info">Version ${version} decides here; your unsaved edits are not part of it.<//>`}
    ${error && html`<${Failure} error=${error} onRetry=${retry} />`}
    <div class="columns half">
      <${Decision} data=${data} classes=${state.project.classes} actions=${state.rules.actions} to=${to} setTo=${setTo} onUse=${(changes) => setChanged({ ...changed, ...Object.fromEntries(changes.map(({ feature, after }) => [feature, after])) })} />
      <${Values} features=${state.rules.features} data=${data} onSet=${set} />
    </div>`;
}

export function CaseView({ state, values }) {
  const start = useMemo(() => given(values.get("values")), [values.get("values")]);
  const head = html`<${PageHead} title="Case">One row, or an input of your own: what is decided, why, and what would change it.<//>`;
  if (!state.rules) return html`${head}<${Empty} icon="case" title="There are no rules to ask yet"><a class="button primary" href=${link("evolve")}>Evolve rules</a><//>`;
  const row = values.get("row") == null ? null : Number(values.get("row"));
  const identifier = values.get("id");
  const own = values.get("values") === "{}" ? middle(state.rules.features) : start;
  const opened = row != null || identifier != null || values.has("values");
  return html`${head}
    ${opened ? html`<${Opened} key=${values.toString()} state=${state} row=${row} identifier=${identifier} start=${own} />` : html`<${Finder} state=${state} values=${values} />`}`;
}
