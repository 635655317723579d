// A candidate of the front: its rules, how it does against the current version, and picking it.
import { html, useState } from "../../../vendor/preact.js";
import { post } from "../../api.js";
import { signature } from "../../author.js";
import { FiguresOf } from "../../components/figures.js";
import { Card, Failure, Waiting } from "../../components/parts.js";
import { plural } from "../../format.js";
import { setRules } from "../../identity.js";
import { useLoaded } from "../../loading.js";
import { go } from "../../router.js";
import { tell } from "../../store.js";
import { loadProject, loadVersions } from "../../studio.js";

export function Candidate({ number, point, state, onPicked }) {
  const { data, error, reload } = useLoaded(`/api/evolution/candidates/${number}`);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState(null);
  const pick = async (event) => {
    event.preventDefault();
    try {
      const answer = await post("/api/evolution/pick", { number, base: state.versions.head, reason: reason.trim(), ...signature() });
      setRules(answer.rules, null);
      await Promise.all([loadVersions(), loadProject()]);
      tell("good", `Candidate ${number} is now version ${answer.version.id}.`, reason.trim());
      onPicked();
      go("rules");
    } catch (failure) {
      setProblem(failure);
    }
  };
  if (error) return html`<${Failure} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Waiting} what=${`candidate ${number}`} />`;
  const { rules, effect } = data;
  return html`<${Card} title=${`Candidate ${number}`} note=${`${plural(point?.rules ?? rules.size.rules, "rule")}, ${plural(rules.size.conditions, "condition")}; figures on validation rows${effect ? `, compared with version ${state.versions.head}` : ""}.`}>
    <${FiguresOf} figures=${rules.validation} before=${effect?.validation.before} label="Validation accuracy" />
    <ol class="plain-rules">${rules.cards.map((card) => html`<li><span class="label-text">${card.plain}</span><br /><code class="muted">${card.text}</code></li>`)}</ol>
    <form class="draft-line" onSubmit=${pick}>
      <div class="field grow"><label for="pick-reason" class="visually-hidden">Reason for picking this candidate</label><input id="pick-reason" value=${reason} maxlength="2000" placeholder="Why this one (kept in the record)" onInput=${(event) => setReason(event.target.value)} /></div>
      <button type="submit" class="button primary" disabled=${!reason.trim()}>Pick this candidate</button>
    </form>
    ${problem && html`<${Failure} error=${problem} />`}
  <//>`;
}
