// Settings of a run: how long, how large the rules may be, what limits hold between groups.
import { html, useState } from "../../../vendor/preact.js";
import { post } from "../../api.js";
import { Favourable } from "../../components/favourable.js";
import { Card, Failure } from "../../components/parts.js";
import { update } from "../../store.js";

function NumberField({ name, label, hint, values, setValues, ...more }) {
  return html`<div class="field">
    <label for=${`run-${name}`}>${label}</label>
    <input id=${`run-${name}`} type="number" value=${values[name]} onInput=${(event) => setValues({ ...values, [name]: event.target.value })} ...${more} />
    ${hint && html`<span class="hint">${hint}</span>`}
  </div>`;
}

function Check({ name, label, values, setValues }) {
  return html`<div class="field inline">
    <input id=${`run-${name}`} type="checkbox" checked=${values[name]} onChange=${(event) => setValues({ ...values, [name]: event.target.checked })} />
    <label for=${`run-${name}`}>${label}</label>
  </div>`;
}

// Only what a person has filled in is sent; the server has the defaults.
function request(values, favourable) {
  const number = (name) => (String(values[name]).trim() === "" ? {} : { [name]: Number(values[name]) });
  const limit = String(values.limit).trim() === "" || favourable == null ? {} : { limits: { [`${values.measure}(${favourable})`]: Number(values.limit) / 100 } };
  return { ...number("generations"), ...number("seconds"), ...number("population"), ...number("max_rules"), ...number("max_conditions"), ...number("seed"), balanced: values.balanced, ...(values.from_head ? { from_head: true } : {}), ...limit };
}

const MEASURES = [
  ["selection_rate_difference", "in being chosen"],
  ["false_negative_rate_difference", "in being overlooked"],
  ["false_positive_rate_difference", "in being chosen wrongly"],
];

export function Settings({ state, again, onStarted }) {
  const [values, setValues] = useState({ generations: 60, seconds: 60, population: "", max_rules: 8, max_conditions: "", seed: 0, balanced: false, from_head: false, limit: "", measure: MEASURES[1][0] });
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const { protected: groups, favourable: chosen } = state.project;
  const fields = { values, setValues };
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      update({ evolution: await post("/api/evolution", request(values, chosen)) });
      onStarted();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return html`<${Card} title=${again ? "Another run" : "New run"} note="It ends with the first limit that is reached; stopping earlier keeps the best so far.">
    <form class="stack" onSubmit=${submit}>
      <div class="fields">
        <${NumberField} name="generations" label="Generations" min="1" max="100000" ...${fields} />
        <${NumberField} name="seconds" label="Seconds" min="1" max="86400" ...${fields} />
        <${NumberField} name="max_rules" label="Most rules" min="1" max="100" hint="Fewer are easier to check." ...${fields} />
        <${NumberField} name="population" label="Rule sets per generation" min="10" max="100000" placeholder="automatic" ...${fields} />
        <${NumberField} name="seed" label="Seed" min="0" hint="The same seed gives the same run." ...${fields} />
      </div>
      <${Favourable} project=${state.project} />
      ${groups.length > 0 &&
      chosen != null &&
      html`<fieldset class="fields limit-fields">
        <legend class="visually-hidden">Limit on differences between groups</legend>
        <div class="field">
          <label for="run-measure">Largest difference between groups (${groups.join(", ")})</label>
          <select id="run-measure" value=${values.measure} onChange=${(event) => setValues({ ...values, measure: event.target.value })}>
            ${MEASURES.map(([value, text]) => html`<option value=${value} selected=${value === values.measure}>${text}: ${chosen}</option>`)}
          </select>
        </div>
        <${NumberField} name="limit" label="Percentage points" min="0" max="100" step="0.5" placeholder="no limit" ...${fields} />
      </fieldset>`}
      <div class="row">
        <${Check} name="balanced" label="Every class counts the same, however rare" ...${fields} />
        ${state.rules && html`<${Check} name="from_head" label="Begin with the current rules" ...${fields} />`}
      </div>
      ${error && html`<${Failure} error=${error} />`}
      <div class="actions"><button type="submit" class="button primary" disabled=${busy}>Start the run</button></div>
    </form>
  <//>`;
}
