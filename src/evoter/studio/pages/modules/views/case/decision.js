// The decision on a case: in words, rule by rule, and the nearest changes that alter it.
import { html } from "../../../vendor/preact.js";
import { Icon } from "../../components/icons.js";
import { Badge, Button, Card, ClassName } from "../../components/parts.js";
import { value } from "../../format.js";

function Asked({ rule }) {
  const state = rule.decided ? "decides" : rule.held ? "would hold too" : "does not hold";
  return html`<li class=${rule.decided ? "asked decides" : "asked"}>
    <div class="row spread"><span class="small"><span class="muted">${rule.number}.</span> <code class="label-text">${rule.text}</code></span><${Badge} kind=${rule.decided ? "accent" : ""}>${state}<//></div>
    ${rule.conditions.length > 0 &&
    html`<ul class="asked-conditions">${rule.conditions.map(
      (condition) => html`<li class="small"><span class=${condition.held ? "good" : "bad"}><${Icon} name=${condition.held ? "good" : "close"} size=${14} /><span class="visually-hidden">${condition.held ? "holds" : "does not hold"}</span></span><code class="label-text">${condition.text}</code><span class="muted label-text">${condition.value}</span></li>`,
    )}</ul>`}
  </li>`;
}

function Nearest({ data, classes, actions, to, setTo, onUse }) {
  return html`<div class="stack tight">
    <div class="row spread">
      <h3>What would change it</h3>
      <span class="field inline"><label for="case-to">to</label><select id="case-to" value=${to} onChange=${(event) => setTo(event.target.value)}>
        <option value="" selected=${!to}>any other decision</option>
        ${actions.filter((action) => action !== data.decision).map((action) => html`<option value=${action} selected=${to === action}>${action}</option>`)}
      </select></span>
    </div>
    ${data.nearest.map(
      (change) => html`<div class="nearest">
        <ul class="grow">${change.changes.map(({ feature, before, after }) => html`<li class="small"><strong class="label-text">${feature}</strong> <span class="number">${value(before)}</span> <span class="muted">to</span> <span class="number">${value(after)}</span></li>`)}</ul>
        <span class="small row"><span class="muted">gives</span> <${ClassName} name=${change.decision} classes=${classes} /></span>
        <${Button} small onClick=${() => onUse(change.changes)}>Try it<//>
      </div>`,
    )}
    ${!data.nearest.length && html`<p class="small muted">${data.nearest_text || "No change of values was found that leads to another decision."}</p>`}
    ${!data.complete && html`<p class="small muted">The search was cut short: a smaller change may exist.</p>`}
  </div>`;
}

export function Decision({ data, classes, actions, to, setTo, onUse }) {
  const turned = data.original_decision != null && data.original_decision !== data.decision;
  return html`<${Card} title="Decision" aria-live="polite">
    <div class="verdict">
      <span class="verdict-name"><${ClassName} name=${data.decision} classes=${classes} /></span>
      ${turned && html`<${Badge} kind="warn">was ${data.original_decision}<//>`}
      ${data.certainty != null && data.certainty < 1 && html`<span class="small muted">certainty ${value(data.certainty)}</span>`}
    </div>
    <p class="label-text">${data.plain}</p>
    <ol class="stack tight">${data.rules.map((rule) => html`<${Asked} key=${rule.number} rule=${rule} />`)}</ol>
    <${Nearest} data=${data} classes=${classes} actions=${actions} to=${to} setTo=${setTo} onUse=${onUse} />
  <//>`;
}
