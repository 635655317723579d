// Two versions side by side: their text, and what they mean.
import { html, useState } from "../../../vendor/preact.js";
import { query } from "../../api.js";
import { Button, Card, Choice, Failure, Waiting } from "../../components/parts.js";
import { useLoaded } from "../../loading.js";
import { EffectBody } from "../effect/view.js";

function Side({ version, lines }) {
  return html`<div class="side-text">
    <h3>Version ${version.id}</h3>
    <ol>${lines.map((line) => html`<li class=${line.same ? "" : "differs"}><span class="muted">${line.number}.</span> <code class="label-text">${line.text}</code>${!line.same && html`<span class="visually-hidden"> (differs)</span>`}</li>`)}</ol>
  </div>`;
}

export function Comparison({ a, b, state, onClose }) {
  const [shown, setShown] = useState("text");
  const { data, error, reload } = useLoaded(query("/api/compare", { a, b }));
  if (error) return html`<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Waiting} what="the comparison" />`;
  const actions = html`<${Choice} label="Comparison of" options=${[["text", "Text"], ["meaning", "Meaning"]]} chosen=${shown} onChoose=${setShown} /><${Button} small icon="close" label="Close the comparison" kind="quiet" onClick=${onClose} />`;
  return html`<${Card} title=${`Versions ${a} and ${b}`} actions=${actions}>
    ${shown === "text"
      ? html`<div class="columns half"><${Side} version=${data.a} lines=${data.sides[0]} /><${Side} version=${data.b} lines=${data.sides[1]} /></div>
          <ul class="changes">${data.text.map((line) => html`<li class="small"><span class="label-text">${line.change}</span></li>`)}</ul>`
      : html`<${EffectBody} effect=${data.effect} proof=${data.proof} classes=${state.project.classes} />`}
  <//>`;
}
