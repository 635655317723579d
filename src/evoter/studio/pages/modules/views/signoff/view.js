// Sign-off: open the test rows, sign the version with name and statement, save the report, check the record.
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { download, get, post } from "../../api.js";
import { author, signature } from "../../author.js";
import { FiguresOf } from "../../components/figures.js";
import { Icon } from "../../components/icons.js";
import { Button, Card, Empty, Failure, Notice, PageHead, Waiting } from "../../components/parts.js";
import { count, moment, plural, shortHash } from "../../format.js";
import { useLoaded } from "../../loading.js";
import { link } from "../../router.js";
import { speak, tell } from "../../store.js";
import { loadProject, loadVersions } from "../../studio.js";
import { ClassTable } from "../effect/summary.js";

const STATEMENT = "I have read every rule, the figures on the test rows and the guardrails, and I approve this version for use.";

function Checks({ checks }) {
  return html`<${Card} title="State of this version"><ul class="checks">${checks.map(({ text, done }) => html`<li><span class=${done ? "good" : "muted"}><${Icon} name=${done ? "good" : "info"} /></span><span class="label-text">${text}</span><span class="visually-hidden">${done ? "done" : "open"}</span></li>`)}</ul><//>`;
}

function Opening({ data, onSend }) {
  const [reason, setReason] = useState("");
  const times = data.openings.length;
  return html`<${Card} title="1. Open the test rows" note=${`${plural(data.test_rows, "row")} that neither evolution nor any edit has seen.`}>
    <${Notice} kind=${times ? "warn" : "info"}>
      ${times ? html`<strong>The test rows have been opened ${times === 1 ? "once" : `${times} times`} already.</strong> Each further opening makes their figure less trustworthy; all are in the record.` : html`<strong>Every opening is recorded for ever.</strong> Edit on the validation rows until you are content, then open the test rows once.`}
    <//>
    <form class="filter-line" onSubmit=${(event) => { event.preventDefault(); onSend("/api/openings", { version: data.head, reason: reason.trim(), ...signature() }); }}>
      <div class="field grow"><label for="opening-reason" class="visually-hidden">Reason for opening the test rows</label><input id="opening-reason" value=${reason} maxlength="2000" placeholder="Reason (kept in the record)" onInput=${(event) => setReason(event.target.value)} /></div>
      <button type="submit" class="button primary" disabled=${!reason.trim()}>Open for version ${data.head}</button>
    </form>
  <//>`;
}

// What is neither proved nor broken is accepted by name, one by one; the record keeps which.
function Unproved({ rails, accepted, setAccepted }) {
  const toggle = (sentence) => setAccepted(accepted.includes(sentence) ? accepted.filter((each) => each !== sentence) : [...accepted, sentence]);
  return html`<${Notice} kind="warn">
    <strong>${rails.length === 1 ? "One guardrail is" : `${rails.length} guardrails are`} neither proved nor broken.</strong> <span class="small">You can sign if you accept each of them; the record and the report name them.</span>
    ${rails.map(({ sentence, reason }, place) => html`<div class="field inline"><input id=${`accept-${place}`} type="checkbox" checked=${accepted.includes(sentence)} onChange=${() => toggle(sentence)} /><label for=${`accept-${place}`}>I accept without a proof: <span class="label-text">${sentence}</span>${reason && html` <span class="small muted">(${reason})</span>`}</label></div>`)}
  <//>`;
}

function Signing({ data, state, onSend }) {
  const fixed = state.project.author_fixed;
  const [name, setName] = useState(author());
  const [statement, setStatement] = useState(STATEMENT);
  const [accepted, setAccepted] = useState([]);
  const unproved = data.guardrails.filter((each) => each.state === "unknown");
  const blocked = data.guardrails.find((each) => each.state === "broken" || each.state === "running");
  const ready = name.trim() && statement.trim() && !blocked && unproved.every((each) => accepted.includes(each.sentence));
  const submit = (event) => {
    event.preventDefault();
    if (ready) onSend("/api/signoffs", { version: data.head, statement: statement.trim(), unproved: unproved.map((each) => each.sentence), ...(fixed ? {} : { name: name.trim() }) });
  };
  const signed = data.signoffs.some((sign) => sign.version === data.head);
  const [title, note] = signed ? ["Another signature", `Version ${data.head} is signed. Somebody else can sign it as well.`] : [`2. Sign version ${data.head}`, "The version is frozen with its hash, your name and your statement."];
  return html`<${Card} title=${title} note=${note}>
    <form class="stack tight" onSubmit=${submit}>
      <div class="field"><label for="sign-name">Name</label><input id="sign-name" value=${name} disabled=${fixed} maxlength="200" onInput=${(event) => setName(event.target.value)} /></div>
      <div class="field"><label for="sign-statement">Statement</label><textarea id="sign-statement" rows="3" maxlength="2000" value=${statement} onInput=${(event) => setStatement(event.target.value)}></textarea></div>
      ${blocked && html`<${Notice} kind=${blocked.state === "broken" ? "bad" : "info"}><strong>${blocked.state === "broken" ? "This version breaks a guardrail, and cannot be signed:" : "A guardrail is still being proved:"}</strong> <span class="label-text">${blocked.sentence}</span><//>`}
      ${unproved.length > 0 && html`<${Unproved} rails=${unproved} accepted=${accepted} setAccepted=${setAccepted} />`}
      <div class="actions"><button type="submit" class="button primary" disabled=${!ready}>Sign version ${data.head}</button></div>
    </form>
  <//>`;
}

function Figures({ data, classes }) {
  return html`<${Card} title="On the test rows" note=${`Version ${data.open.version}, ${count(data.open.figures.rows)} rows.`}>
    <${FiguresOf} figures=${data.open.figures} label="Test accuracy" />
    <${ClassTable} after=${data.open.figures} classes=${classes} />
  <//>`;
}

function Verification() {
  const [result, setResult] = useState({ data: null, error: null });
  const verify = () => get("/api/verify").then((data) => { setResult({ data, error: null }); speak(data.passed ? "The record is intact." : "The record does not hold."); }, (error) => setResult({ data: null, error }));
  const { data, error } = result;
  return html`<${Card} title="Check the record" note="The same check as evoter verify on the command line." actions=${html`<${Button} icon="guardrails" onClick=${verify}>Verify now<//>`}>
    ${error && html`<${Failure} error=${error} />`}
    ${data && html`<${Notice} kind=${data.passed ? "good" : "bad"}><strong>${data.passed ? "The record is intact." : "The record does not hold."}</strong> <code title=${data.head_hash}>${shortHash(data.head_hash)}</code><//>
      <ul class="checks">${data.lines.map(({ state, about, text }) => html`<li><span class=${state === "failed" ? "bad" : state === "ok" ? "good" : "muted"}><${Icon} name=${state === "failed" ? "bad" : state === "ok" ? "good" : "info"} /></span><span class="label-text small">${about ? `${about}: ` : ""}${text}</span></li>`)}</ul>`}
    ${!data && !error && html`<p class="small muted">Each record carries the hash of the one before it, so that nothing can be changed afterwards without breaking the chain.</p>`}
  <//>`;
}

function Record({ data }) {
  return html`<${Card} title="Signatures" flush>
    ${data.signoffs.length
      ? html`<table><thead><tr><th scope="col">Version</th><th scope="col">Name and statement</th><th scope="col">Time</th><th scope="col">Hash</th><th scope="col">Report</th></tr></thead>
          <tbody>${data.signoffs.map((sign) => html`<tr><th scope="row">${sign.version}</th><td><strong class="label-text">${sign.name}</strong><div class="small label-text">${sign.statement}</div>${sign.unproved.map((sentence) => html`<div class="small warn label-text">Accepted without a proof: ${sentence}</div>`)}</td><td class="small">${moment(sign.time)}</td><td><code class="small" title=${sign.hash}>${shortHash(sign.hash)}</code></td><td><${Button} small icon="save" onClick=${() => download(`/api/signoffs/${sign.number}/report`, `report-version-${sign.version}.html`).catch((error) => tell("bad", error.message, error.hint))}>Save<span class="visually-hidden"> the report of version ${sign.version}</span><//></td></tr>`)}</tbody></table>`
      : html`<p class="card-note muted">No version is signed yet.</p>`}
    ${data.openings.length > 0 && html`<table><caption class="card-note">Openings of the test rows</caption><thead><tr><th scope="col">Version</th><th scope="col">By</th><th scope="col">Reason</th><th scope="col">Time</th></tr></thead><tbody>${data.openings.map((opening) => html`<tr><th scope="row">${opening.version}</th><td class="label-text">${opening.author}</td><td class="label-text">${opening.reason}</td><td class="small">${moment(opening.time)}</td></tr>`)}</tbody></table>`}
  <//>`;
}

export function SignoffView({ state }) {
  const { data, error, reload, replace } = useLoaded("/api/signoff", state.stamps.signoff, state.stamps.version);
  const [problem, setProblem] = useState(null);
  const head = html`<${PageHead} title="Sign-off">The last look at rows nobody has used, and the signature under exactly this version.<//>`;
  const send = async (path, body) => {
    setProblem(null);
    try {
      replace(await post(path, body));
      speak(path === "/api/openings" ? "The test rows are open for this version." : "The version is signed.");
      await Promise.all([loadVersions(), loadProject()]);
    } catch (failure) {
      setProblem(failure);
    }
  };
  // Proofs of guardrails end by themselves, within seconds.
  const proving = data?.guardrails.some((each) => each.state === "running");
  useEffect(() => {
    if (!proving) return undefined;
    const timer = setTimeout(reload, 1000);
    return () => clearTimeout(timer);
  }, [data]);
  if (!state.rules) return html`${head}<${Empty} icon="signoff" title="There is nothing to sign yet"><a class="button primary" href=${link("evolve")}>Evolve rules</a><//>`;
  if (error) return html`${head}<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`${head}<${Waiting} what="the record" />`;
  const opened = data.open?.version === data.head;
  const signed = data.signoffs.find((sign) => sign.version === data.head);
  return html`${head}
    ${state.draft?.edits.length > 0 && html`<${Notice} kind="warn"><strong>Your unsaved edits are not part of version ${data.head}.</strong> Keep or discard them first.<//>`}
    ${problem && html`<${Failure} error=${problem} />`}
    ${signed && html`<${Notice} kind="good"><strong>Version ${data.head} was signed by ${signed.name}</strong> on ${moment(signed.time)}.<//>`}
    <div class="columns aside">
      <div class="stack">
        ${opened ? html`<${Figures} data=${data} classes=${state.project.classes} />` : html`<${Opening} data=${data} onSend=${send} />`}
        ${opened && html`<${Signing} data=${data} state=${state} onSend=${send} />`}
        <${Record} data=${data} />
      </div>
      <div class="stack"><${Checks} checks=${data.checks} /><${Verification} /></div>
    </div>`;
}
