// One condition: its words, and under it a slider over the feature's histogram or its text.
import { html, useEffect, useRef, useState } from "../../../vendor/preact.js";
import { query } from "../../api.js";
import { Bars, Histogram } from "../../charts/histogram.js";
import { Button, Failure } from "../../components/parts.js";
import { edit } from "../../draft.js";
import { count, value as written } from "../../format.js";
import { useLoaded } from "../../loading.js";
import { RuleText } from "./rule_text.js";

const HOLDS = { ">": (a, b) => a > b, ">=": (a, b) => a >= b, "<": (a, b) => a < b, "<=": (a, b) => a <= b };

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

// The places behind the point that a slider moves in: those of the data, and enough for 200 steps.
function step(feature, low, high) {
  const decimals = feature?.decimals ?? Math.max(0, Math.ceil(-Math.log10((high - low) / 200 || 1)));
  return { decimals, size: 10 ** -decimals };
}

function Slider({ condition, rule, feature, column }) {
  const { editable, number } = condition;
  const [value, setValue] = useState(editable.value);
  const [typed, setTyped] = useState(null);
  const [before] = useState(editable.value);
  const sent = useRef(null);
  // While the slider moves, answers about earlier places must not pull it back.
  useEffect(() => {
    if (sent.current == null) setValue(editable.value);
  }, [editable.value]);
  const low = Math.min(column.low, value);
  const high = Math.max(column.high, value);
  const { decimals, size } = step(feature, column.low, column.high);
  const move = async (next) => {
    sent.current = next;
    setValue(next);
    const done = await edit("replace_condition", rule.number, number, `${editable.before}${next}${editable.after}`);
    if (sent.current !== next) return;
    sent.current = null;
    if (!done) setValue(editable.value);
  };
  const holds = HOLDS[editable.operator];
  const counts = column.bins.map((bin) => sum(bin.counts));
  const name = editable.feature;
  return html`<div class="slider">
    <${Histogram}
      edges=${[...column.bins.map((bin) => bin.low), column.bins.at(-1).high]}
      counts=${counts}
      low=${low}
      high=${high}
      threshold=${value}
      before=${before}
      holds=${holds && ((x) => holds(x, value))}
      label=${`Distribution of ${name} on ${count(sum(counts))} training and validation rows, from ${written(column.low)} to ${written(column.high)}; threshold ${written(value)}`}
    />
    <input
      type="range"
      min=${Number((Math.floor(low / size) * size).toFixed(decimals))}
      max=${Number((Math.ceil(high / size) * size).toFixed(decimals))}
      step=${size}
      value=${value}
      aria-label=${`Threshold for ${name} in rule ${rule.number}`}
      aria-valuetext=${`${written(value)} ${column.unit ?? ""}`}
      onInput=${(event) => move(Number(Number(event.target.value).toFixed(decimals)))}
    />
    <div class="row spread">
      <span class="field inline">
        <label for=${`number-${rule.number}-${number}`}>${editable.operator}</label>
        <input
          id=${`number-${rule.number}-${number}`}
          class="number-field"
          inputmode="decimal"
          aria-label=${`Number for ${name}`}
          value=${typed ?? written(value)}
          aria-invalid=${typed != null && !Number.isFinite(Number(typed)) ? "true" : undefined}
          onInput=${(event) => {
            setTyped(event.target.value);
            if (event.target.value.trim() && Number.isFinite(Number(event.target.value))) move(Number(event.target.value));
          }}
          onBlur=${() => setTyped(null)}
        />
        <span class="muted small">${column.unit}</span>
      </span>
      <span class="small muted">${before !== value ? html`was ${written(before)} · ` : ""}${count(sum(counts))} rows with a value, ${count(sum(column.missing))} without</span>
    </div>
  </div>`;
}

// A number beside a sum or a power of features has no histogram to move over: such a condition is edited as text.
function Adjust({ condition, rule, rules, onDone }) {
  const name = condition.editable ? condition.editable.feature : condition.features[0];
  const { data: column, error, reload } = useLoaded(name ? query("/api/columns", { column: name }) : null);
  const feature = rules.features.find((each) => each.name === name);
  if (error) return html`<${Failure} error=${error} onRetry=${reload} />`;
  if (!column && name) return html`<div class="waiting-block slider-space" role="status"><span class="visually-hidden">Loading the distribution of ${name}</span></div>`;
  if (condition.editable && column?.bins?.length) return html`<${Slider} condition=${condition} rule=${rule} feature=${feature} column=${column} />`;
  const total = column?.categories?.map((each) => sum(each.counts)) ?? [];
  return html`<div class="stack tight">
    ${total.length > 0 && html`<${Bars} label=${`Values of ${name}`} names=${column.categories.slice(0, 12).map((each) => each.name)} counts=${total.slice(0, 12)} />`}
    <${RuleText} rules=${rules} text=${condition.text} conditionOnly label=${`Text of condition ${condition.number} of rule ${rule.number}`} apply="Apply" edits=${(text) => [{ operation: "replace_condition", arguments: [rule.number, condition.number, text] }]} onDone=${onDone} />
  </div>`;
}

export function Condition({ condition, first, rule, rules, form, open, onOpen }) {
  const words = form === "plain" ? html`<span class="label-text">${condition.plain}</span>` : html`<code class="label-text">${condition.text}</code>`;
  return html`<li class="condition">
    <div class="condition-line">
      <span class="word">${first ? "if" : "and"}</span>
      <span class="grow">${words}</span>
      <${Button} small kind="quiet" label=${`Adjust: ${condition.text}`} aria-expanded=${String(open)} onClick=${onOpen}>Adjust<//>
      ${rule.conditions.length > 1 && html`<${Button} small kind="quiet" icon="close" label=${`Remove: ${condition.text}`} onClick=${() => edit("drop_condition", rule.number, condition.number)} />`}
    </div>
    ${open && html`<div class="adjust"><${Adjust} condition=${condition} rule=${rule} rules=${rules} onDone=${onOpen} /></div>`}
  </li>`;
}
