// A question about every input that is asked once and recorded nowhere.
import { html, useState } from "../../../vendor/preact.js";
import { post } from "../../api.js";
import { Card } from "../../components/parts.js";
import { ProofNotice } from "../../components/proof.js";
import { Objection } from "../rules/rule_text.js";

export function Question() {
  const [statement, setStatement] = useState("");
  const [answer, setAnswer] = useState({ proof: null, error: null });
  const ask = async (event) => {
    event.preventDefault();
    try {
      setAnswer({ proof: await post("/api/prove", { statement: statement.trim() }), error: null });
    } catch (error) {
      setAnswer({ proof: null, error });
    }
  };
  return html`<${Card} title="Ask a question" note="Is something true of the current rules on every input? Nothing is recorded.">
    <form class="filter-line" onSubmit=${ask}>
      <div class="field grow"><label for="question" class="visually-hidden">Statement</label><input id="question" class="rule-text" value=${statement} spellcheck="false" autocomplete="off" placeholder="age < 18 -> never opioid" onInput=${(event) => setStatement(event.target.value)} /></div>
      <button type="submit" class="button" disabled=${!statement.trim()}>Prove or refute</button>
    </form>
    ${answer.error && html`<${Objection} error=${answer.error} />`}
    <${ProofNotice} proof=${answer.proof} refuted="Refuted" />
  <//>`;
}
