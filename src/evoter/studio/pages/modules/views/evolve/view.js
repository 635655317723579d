// Evolve: start, pause and stop a run, watch its front and history grow, pick a candidate.
import { html, useState } from "../../../vendor/preact.js";
import { get, post } from "../../api.js";
import { Front } from "../../charts/front.js";
import { Progress } from "../../charts/progress.js";
import { Badge, Button, Card, Empty, Notice, PageHead } from "../../components/parts.js";
import { count, duration, percent, plural } from "../../format.js";
import { link } from "../../router.js";
import { tell, update } from "../../store.js";
import { Candidate } from "./candidate.js";
import { Settings } from "./settings.js";

const WORDS = { idle: "not started", preparing: "preparing", running: "running", paused: "paused", stopping: "stopping", finished: "finished", failed: "failed" };
const TONES = { running: "accent", preparing: "accent", finished: "good", failed: "bad", paused: "warn" };
const ACTIVE = ["preparing", "running", "paused", "stopping"];

async function command(name) {
  try {
    update({ evolution: await post(`/api/evolution/${name}`, {}) });
  } catch (error) {
    tell("bad", error.message, error.hint);
    get("/api/evolution").then((evolution) => update({ evolution }), () => {});
  }
}

function Controls({ run }) {
  return html`<div class="row">
    ${run.state === "running" && html`<${Button} icon="pause" onClick=${() => command("pause")}>Pause<//>`}
    ${run.state === "paused" && html`<${Button} icon="play" kind="primary" onClick=${() => command("resume")}>Go on<//>`}
    ${ACTIVE.includes(run.state) && html`<${Button} icon="stop" disabled=${run.state === "stopping"} onClick=${() => command("stop")}>Stop<//>`}
  </div>`;
}

function RunCard({ run }) {
  const last = run.history.at(-1);
  const line = (name) => run.history.filter((row) => Number.isFinite(row[name])).map((row) => [row.generation, row[name]]);
  return html`<${Card} title="Run" actions=${html`<${Badge} kind=${TONES[run.state]}>${WORDS[run.state]}<//><${Controls} run=${run} />`}>
    <svg class="meter" role="img" aria-label=${`${Math.round(100 * (run.progress ?? 0))} percent of the run`}><rect width=${`${100 * (run.progress ?? 0)}%`} height="6" /></svg>
    <div class="row small muted">
      <span class="number">Generation ${count(run.generation ?? 0)}</span>
      ${last && html`<span class="number">${count(last.evaluations)} rule sets evaluated</span><span class="number">${duration(last.seconds)}</span>`}
      ${run.message && html`<span class="label-text">${run.message}</span>`}${run.stop_reason && html`<span>${run.stop_reason}</span>`}
    </div>
    ${run.history.length > 1
      ? html`<${Progress} series=${[{ name: "best", values: line("best") }, { name: "mean", values: line("mean"), second: true }]} label=${`Training score by generation: best ${percent(last.best)}, mean ${percent(last.mean)} after generation ${last.generation}`} />
          <div class="row small"><span class="row"><span class="swatch accent-swatch"></span>best ${percent(last.best)}</span><span class="row class-2"><span class="swatch"></span><span class="label-text">mean ${percent(last.mean)}</span></span><span class="muted">score on training rows</span></div>`
      : html`<div class="chart-space muted">${run.state === "preparing" ? "Preparing: the first run on a machine compiles what it needs, which can take a minute or two." : "The history appears with the second generation."}</div>`}
  <//>`;
}

function FrontCard({ run, chosen, onChoose }) {
  const points = run.front.map((point) => ({
    id: point.number,
    x: point.conditions,
    y: point.accuracy,
    description: `Candidate ${point.number}: ${percent(point.accuracy)} on training rows${point.validation == null ? "" : `, ${percent(point.validation.accuracy ?? point.validation)} on validation rows`}, ${plural(point.rules, "rule")}, ${plural(point.conditions, "condition")}`,
  }));
  const ready = run.can_pick;
  return html`<${Card} title="Front" note="Accuracy on training rows against size: each point is the best of its size.">
    ${points.length
      ? html`<${Front} points=${points} chosen=${chosen} onChoose=${onChoose} xLabel="conditions" yLabel="accuracy" />
          <p class="small muted">${ready ? "Choose a point to read its rules." : "Pause the run to read a candidate's rules."}</p>`
      : html`<div class="chart-space muted">No candidates yet.</div>`}
  <//>`;
}

export function EvolveView({ state }) {
  const run = state.evolution;
  const [chosen, setChosen] = useState(null);
  const begun = run && run.state !== "idle";
  const active = begun && ACTIVE.includes(run.state);
  return html`
    <${PageHead} title="Evolve">Rule sets are bred from the training rows. The <a href=${link("guardrails")}>guardrails</a> of this project hold from the first generation on.<//>
    ${run?.state === "failed" && html`<${Notice} kind="bad" role="alert"><strong>The run failed.</strong> ${run.message}<//>`}
    ${begun &&
    html`<div class="columns half">
      <${FrontCard} run=${run} chosen=${chosen} onChoose=${(number) => (run.can_pick ? setChosen(number) : tell("info", "Pause the run first, then choose a candidate."))} />
      <${RunCard} run=${run} />
    </div>`}
    ${chosen != null && run?.can_pick && html`<${Candidate} key=${chosen} number=${chosen} point=${run.front.find((point) => point.number === chosen)} state=${state} onPicked=${() => setChosen(null)} />`}
    ${!active && html`<${Settings} state=${state} again=${begun} onStarted=${() => setChosen(null)} />`}
    ${!begun && !state.rules && html`<${Empty} icon="evolve" title="No run yet"><p>A first run of a minute shows what is possible. Guardrails can be set before it, so that no candidate breaks them.</p><a class="button" href=${link("guardrails")}>Set guardrails</a><//>`}
  `;
}
