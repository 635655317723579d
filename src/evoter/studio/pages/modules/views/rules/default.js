// The default: what is decided where no rule holds.
import { html } from "../../../vendor/preact.js";
import { ClassName } from "../../components/parts.js";
import { edit } from "../../draft.js";
import { RuleFigures } from "./card.js";

export function DefaultCard({ card, rules, part, classes }) {
  return html`<section class="card rule default" aria-label="Default">
    <div class="rule-body">
      <div class="condition-line">
        <span class="word">otherwise</span>
        <span class="grow field inline decision">
          <${ClassName} name=${card.action} classes=${classes} />
          <label for="default-action" class="visually-hidden">Default decision</label>
          <select id="default-action" value=${card.action} onChange=${(event) => edit("set_default", event.target.value)}>
            ${rules.actions.map((action) => html`<option value=${action} selected=${action === card.action}>${action}</option>`)}
          </select>
        </span>
      </div>
    </div>
    <${RuleFigures} stat=${card[part]} number=${card.number} part=${part} />
  </section>`;
}
