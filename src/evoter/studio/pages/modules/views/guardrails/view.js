// Guardrails: what must hold whatever the data say, each with its state: proved, or broken with a counterexample.
import { html, useState } from "../../../vendor/preact.js";
import { post } from "../../api.js";
import { signature } from "../../author.js";
import { Badge, Button, Empty, Failure, Notice, PageHead, Waiting } from "../../components/parts.js";
import { Counterexample, caseLink, useProof } from "../../components/proof.js";
import { plural } from "../../format.js";
import { useLoaded } from "../../loading.js";
import { tell } from "../../store.js";
import { Adding } from "./adding.js";
import { Question } from "./question.js";

const STATES = { proved: ["good", "good", "proved"], broken: ["bad", "bad", "broken"], unknown: ["warn", "warn", "not settled"], running: ["", "info", "being proved"] };
const KINDS = { pinned: "Fixed rule", forbidden_feature: "Feature not used", forbidden: "Never decided", monotone: "One direction" };

// The definition without one guardrail, found by its kind and its place among those of its kind.
function without(definition, guardrails, gone) {
  const place = guardrails.filter((each) => each.kind === gone.kind).findIndex((each) => each.number === gone.number);
  const drop = (list) => list.filter((_, i) => i !== place);
  if (gone.kind === "monotone") return { ...definition, monotone: Object.fromEntries(drop(Object.entries(definition.monotone))) };
  const name = { pinned: "pinned", forbidden_feature: "forbidden_features", forbidden: "forbidden" }[gone.kind];
  return { ...definition, [name]: drop(definition[name]) };
}

function Guardrail({ guardrail, onRemove, busy }) {
  const proof = useProof(guardrail.proof);
  const state = guardrail.state === "running" && proof && proof.state !== "running" ? { proved: "proved", refuted: "broken" }[proof.state] ?? "unknown" : guardrail.state;
  const [tone, icon, word] = STATES[state];
  const example = proof?.counterexample;
  return html`<li class="card guardrail" data-state=${state}>
    <div class="row spread">
      <span class="row"><${Badge} kind=${tone} icon=${icon}>${word}<//><span class="small muted">${KINDS[guardrail.kind]}</span></span>
      <${Button} small kind="quiet danger" icon="remove" label=${`Remove guardrail: ${guardrail.text}`} disabled=${busy} onClick=${onRemove} />
    </div>
    <p class="label-text"><strong>${guardrail.sentence}</strong></p>
    ${guardrail.violation && state !== "proved" && html`<p class="small bad">${guardrail.violation}</p>`}
    ${proof?.text && state !== "running" && html`<p class="small muted">${proof.text}</p>`}
    ${example && html`<${Counterexample} values=${example} /><div><a class="button small" href=${caseLink(example)}>Open the counterexample as a case</a></div>`}
  </li>`;
}

export function GuardrailsView({ state }) {
  const { data, error, reload, replace } = useLoaded("/api/guardrails", state.stamps.guardrails, state.stamps.version);
  const [busy, setBusy] = useState(false);
  const save = async (definition, reason) => {
    setBusy(true);
    try {
      replace(await post("/api/guardrails", { revision: data.revision, definition, reason, ...signature() }));
      return null;
    } catch (problem) {
      if (problem.kind === "conflict") {
        tell("warn", "Somebody else changed the guardrails. They are shown as they are now: please repeat your change.");
        reload();
      }
      return problem;
    } finally {
      setBusy(false);
    }
  };
  const remove = async (guardrail) => {
    const problem = await save(without(data.definition, data.guardrails, guardrail), `removed: ${guardrail.sentence}`);
    if (problem && problem.kind !== "conflict") tell("bad", problem.message, problem.hint);
  };
  const head = html`<${PageHead} title="Guardrails">What must hold on every input, whatever the data suggest. Evolution keeps them, and every version is checked.<//>`;
  if (error) return html`${head}<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`${head}<${Waiting} what="guardrails" />`;
  const broken = data.guardrails.filter((each) => each.state === "broken").length;
  return html`${head}
    ${data.guardrails.length > 0 && state.rules && (broken ? html`<${Notice} kind="bad" role="alert"><strong>${plural(broken, "guardrail")} broken by version ${state.versions.head}.</strong><//>` : data.kept && html`<${Notice} kind="good"><strong>Version ${state.versions.head} keeps ${data.guardrails.length === 1 ? "its guardrail" : `all ${data.guardrails.length} guardrails`}.</strong><//>`)}
    <div class="columns aside">
      <div class="stack tight">
        ${data.guardrails.length
          ? html`<ul class="stack tight">${data.guardrails.map((guardrail) => html`<${Guardrail} key=${`${data.revision} ${guardrail.number}`} guardrail=${guardrail} busy=${busy} onRemove=${() => remove(guardrail)} />`)}</ul>`
          : html`<${Empty} icon="guardrails" title="No guardrails yet"><p>Say what must never happen, for example that a treatment is never given below an age, or that a risk never falls as a value rises.</p><//>`}
        ${state.rules && html`<${Question} />`}
      </div>
      <${Adding} state=${state} definition=${data.definition} onSave=${save} busy=${busy} />
    </div>`;
}
