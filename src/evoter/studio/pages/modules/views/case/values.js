// The values of a case, each of which can be moved: a slider for numbers, a list for categories.
import { html, useState } from "../../../vendor/preact.js";
import { Button, Card, Choice } from "../../components/parts.js";
import { value as written } from "../../format.js";

function size(feature) {
  const decimals = feature.decimals ?? Math.max(0, Math.ceil(-Math.log10((feature.high - feature.low) / 200 || 1)));
  return { decimals, step: 10 ** -decimals };
}

function NumberControl({ feature, value, id, onSet }) {
  const { decimals, step } = size(feature);
  const low = Math.min(feature.low ?? 0, value ?? Infinity);
  const high = Math.max(feature.high ?? 1, value ?? -Infinity);
  const set = (text) => {
    if (text.trim() === "") onSet(feature.name, null);
    else if (Number.isFinite(Number(text))) onSet(feature.name, Number(Number(text).toFixed(Math.max(decimals, 6))));
  };
  return html`<span class="value-control">
    <input type="range" aria-label=${`Slider for ${feature.name}`} min=${low} max=${high} step=${step} value=${value ?? low} onInput=${(event) => set(Number(event.target.value).toFixed(decimals))} />
    <input id=${id} class="number-field" inputmode="decimal" value=${value == null ? "" : written(value)} placeholder="missing" onChange=${(event) => set(event.target.value)} />
  </span>`;
}

function ListControl({ feature, value, id, onSet }) {
  const options = feature.kind === "boolean" ? [[true, "yes"], [false, "no"]] : feature.categories.map((name) => [name, name]);
  const known = options.some(([key]) => key === value);
  return html`<select id=${id} onChange=${(event) => onSet(feature.name, event.target.value === "" ? null : options[Number(event.target.value)]?.[0] ?? value)}>
    ${(feature.may_be_missing || value == null) && html`<option value="" selected=${value == null}>missing</option>`}
    ${!known && value != null && html`<option value="kept" selected>${String(value)}</option>`}
    ${options.map(([key, text], i) => html`<option value=${i} selected=${key === value}>${text}</option>`)}
  </select>`;
}

export function Values({ features, data, onSet }) {
  const [which, setWhich] = useState("read");
  const read = new Set(data.rules.flatMap((rule) => rule.conditions.flatMap((condition) => features.filter((feature) => condition.text.includes(feature.text)).map((feature) => feature.name))));
  const shown = which === "all" || !read.size ? features : features.filter((feature) => read.has(feature.name) || (data.original && data.original[feature.name] !== data.values[feature.name]));
  return html`<${Card} title="Values" note="Move them to see what would be decided." actions=${read.size > 0 && html`<${Choice} label="Values shown" options=${[["read", "Read by rules"], ["all", `All ${features.length}`]]} chosen=${which} onChoose=${setWhich} />`}>
    <ul class="case-values">
      ${shown.map((feature) => {
        const id = `value-${features.indexOf(feature)}`;
        const now = data.values[feature.name] ?? null;
        const before = data.original ? data.original[feature.name] ?? null : now;
        const control = feature.kind === "numeric" ? NumberControl : ListControl;
        return html`<li key=${feature.name}>
          <div class="row spread"><label for=${id} class="label-text">${feature.name}${feature.unit ? html` <span class="muted">(${feature.unit})</span>` : ""}</label>
            ${now !== before && html`<span class="row small"><span class="muted number">was ${written(before)}</span><${Button} small kind="quiet" icon="undo" label=${`Set ${feature.name} back`} onClick=${() => onSet(feature.name, before)} /></span>`}</div>
          <${control} feature=${feature} value=${now} id=${id} onSet=${onSet} />
        </li>`;
      })}
    </ul>
  <//>`;
}
