// A new guardrail of one of the four kinds, with the reason for it.
import { html, useState } from "../../../vendor/preact.js";
import { Card } from "../../components/parts.js";
import { useLoaded } from "../../loading.js";
import { Objection } from "../rules/rule_text.js";

const KINDS = [
  ["forbidden", "Never decide something"],
  ["monotone", "A value pushes one way only"],
  ["forbidden_feature", "A feature is not used"],
  ["pinned", "A fixed rule that comes first"],
];

function TextField({ id, label, hint, value, onInput, mono }) {
  return html`<div class="field"><label for=${id}>${label}</label><input id=${id} class=${mono ? "rule-text" : ""} value=${value} autocomplete="off" spellcheck="false" onInput=${(event) => onInput(event.target.value)} />${hint && html`<span class="hint">${hint}</span>`}</div>`;
}

function SelectField({ id, label, value, options, onChange }) {
  return html`<div class="field"><label for=${id}>${label}</label><select id=${id} value=${value} onChange=${(event) => onChange(event.target.value)}>${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}</select></div>`;
}

// The definition with what the form says added to it; null while the form is incomplete.
function added(definition, kind, form, classes) {
  if (kind === "forbidden") return form.context.trim() && form.action ? { ...definition, forbidden: [...definition.forbidden, `${form.context.trim()} -> never ${/^[A-Za-z_][\w.-]*$/.test(form.action) ? form.action : JSON.stringify(form.action)}`] } : null;
  if (kind === "pinned") return form.rule.trim() ? { ...definition, pinned: [...definition.pinned, form.rule.trim()] } : null;
  if (!form.feature) return null;
  if (kind === "forbidden_feature") return { ...definition, forbidden_features: [...definition.forbidden_features, form.feature] };
  const order = definition.order.length ? definition.order : form.top === classes[0] ? [...classes].reverse() : [...classes.filter((name) => name !== form.top), form.top];
  return { ...definition, monotone: { ...definition.monotone, [form.feature]: form.direction }, order };
}

export function Adding({ state, definition, onSave, busy }) {
  const { classes } = state.project;
  const { data: table } = useLoaded(state.rules ? null : "/api/table");
  const names = state.rules ? state.rules.features.map((feature) => feature.name) : (table?.columns ?? []).filter((column) => column.role === "feature").map((column) => column.name);
  const [kind, setKind] = useState("forbidden");
  const [form, setForm] = useState({ context: "", action: classes[0], rule: "", feature: "", direction: "increasing", top: classes.at(-1), reason: "" });
  const [error, setError] = useState(null);
  const set = (name) => (value) => setForm({ ...form, [name]: value });
  const next = added(definition, kind, form, classes);
  const numeric = state.rules ? state.rules.features.filter((feature) => feature.kind === "numeric").map((feature) => feature.name) : names;
  const submit = async (event) => {
    event.preventDefault();
    const problem = await onSave(next, form.reason.trim());
    setError(problem);
    if (!problem) setForm({ ...form, context: "", rule: "", feature: "", reason: "" });
  };
  const choices = (list) => [["", "choose a feature"], ...list.map((name) => [name, name])];
  return html`<${Card} title="New guardrail">
    <form class="stack tight" onSubmit=${submit}>
      <${SelectField} id="guardrail-kind" label="Kind" value=${kind} options=${KINDS} onChange=${setKind} />
      ${kind === "forbidden" &&
      html`<${TextField} id="guardrail-context" label="Where" mono value=${form.context} onInput=${set("context")} hint="A condition, as in rule text: age < 18" />
        <${SelectField} id="guardrail-action" label="Never decide" value=${form.action} options=${classes.map((name) => [name, name])} onChange=${set("action")} />`}
      ${kind === "monotone" &&
      html`<${SelectField} id="guardrail-feature" label="As this rises" value=${form.feature} options=${choices(numeric)} onChange=${set("feature")} />
        <${SelectField} id="guardrail-direction" label="the decision moves only" value=${form.direction} options=${[["increasing", "towards"], ["decreasing", "away from"]]} onChange=${set("direction")} />
        ${definition.order.length ? html`<p class="small muted">Order: ${definition.order.join(", ")}</p>` : html`<${SelectField} id="guardrail-top" label="this decision" value=${form.top} options=${classes.map((name) => [name, name])} onChange=${set("top")} />`}`}
      ${kind === "forbidden_feature" && html`<${SelectField} id="guardrail-feature" label="No rule reads" value=${form.feature} options=${choices(names)} onChange=${set("feature")} />`}
      ${kind === "pinned" && html`<${TextField} id="guardrail-rule" label="Rule" mono value=${form.rule} onInput=${set("rule")} hint="As in rule text: age >= 90 -> refer" />`}
      <${TextField} id="guardrail-reason" label="Reason" value=${form.reason} onInput=${set("reason")} />
      ${error && html`<${Objection} error=${error} />`}
      <div class="actions"><button type="submit" class="button primary" disabled=${busy || !next || !form.reason.trim()}>Set guardrail</button></div>
    </form>
  <//>`;
}
