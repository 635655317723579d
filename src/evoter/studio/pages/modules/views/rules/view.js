// Rules: the rule set as cards that one can read, edit, move, pin and switch off.
import { html, useState } from "../../../vendor/preact.js";
import { download } from "../../api.js";
import { Button, Card, Choice, Empty, PageHead } from "../../components/parts.js";
import { edit } from "../../draft.js";
import { shownIds, shownRules } from "../../identity.js";
import { link } from "../../router.js";
import { EffectSummary } from "../effect/summary.js";
import { RuleCard } from "./card.js";
import { DefaultCard } from "./default.js";
import { useReorder } from "./reorder.js";
import { RuleText } from "./rule_text.js";

function NoRules() {
  return html`<${PageHead} title="Rules">Nothing decides yet.<//>
    <${Empty} icon="rules" title="There are no rules yet">
      <p>Check what each column was taken for, then let rules evolve from the training rows and pick a candidate.</p>
      <div class="row"><a class="button" href=${link("table")}>Check the table</a><a class="button primary" href=${link("evolve")}>Evolve rules</a></div>
    <//>`;
}

function Adding({ rules, onDone }) {
  const place = rules.cards.length;
  return html`<${Card} title="New rule" note="It comes last, before the default; move it where it belongs.">
    <${RuleText} rules=${rules} text="" label=${`Text of rule ${place}`} apply="Add the rule" edits=${(text) => [{ operation: "insert", arguments: [place, text] }]} onDone=${onDone} />
  <//>`;
}

export function RulesView({ state }) {
  const [form, setForm] = useState("plain");
  const [part, setPart] = useState("validation");
  const [adding, setAdding] = useState(false);
  const [whole, setWhole] = useState(false);
  const rules = shownRules(state);
  const ids = shownIds(state);
  const moved = (from, to) => edit("move", from, to);
  const cards = rules ? rules.cards.filter((card) => !card.is_default) : [];
  const order = useReorder(cards.length, moved);
  if (!rules) return html`<${NoRules} />`;
  return html`
    <${PageHead}
      title="Rules"
      actions=${html`<${Choice} label="Wording" options=${[["plain", "Plain words"], ["text", "Rule text"]]} chosen=${form} onChoose=${setForm} />
        <${Choice} label="Figures from" options=${[["validation", "Validation rows"], ["training", "Training rows"]]} chosen=${part} onChoose=${setPart} />`}
    >
      Rules are asked from top to bottom, and the first one that holds decides.
    <//>
    <div class="columns aside">
      <div class="stack tight">
        <ol class="stack tight" ref=${order.list} aria-label="Rules in order">
          ${cards.map((card) => html`<${RuleCard} key=${ids[card.number - 1] ?? card.number} card=${card} rules=${rules} form=${form} part=${part} last=${cards.length} classes=${state.project.classes} order=${order} />`)}
        </ol>
        <${DefaultCard} card=${rules.cards.find((card) => card.is_default)} rules=${rules} part=${part} classes=${state.project.classes} />
        <div class="row">
          <${Button} icon="plus" onClick=${() => setAdding(!adding)} aria-expanded=${String(adding)}>Add a rule<//>
          <${Button} icon="edit" kind="quiet" onClick=${() => setWhole(!whole)} aria-expanded=${String(whole)}>Edit all as text<//>
          <${Button} icon="save" kind="quiet" onClick=${() => download("/api/rules/file", "rules.json")}>Rule file<//>
        </div>
        ${adding && html`<${Adding} rules=${rules} onDone=${() => setAdding(false)} />`}
        ${whole &&
        html`<${Card} title="All rules as text" note="Each line is a rule; the last one is the default.">
          <${RuleText} rules=${rules} text=${rules.text} lines=${rules.cards.length + 2} label="Text of all rules" apply="Apply" edits=${(text) => [{ operation: "rewrite", arguments: [text] }]} onDone=${() => setWhole(false)} />
        <//>`}
      </div>
      <aside class="sticky" aria-label="Effect of the edits"><${EffectSummary} state=${state} /></aside>
    </div>
  `;
}
