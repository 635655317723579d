// One rule: its conditions, what it decides, how often and how well, and everything one can do with it.
import { html, useState } from "../../../vendor/preact.js";
import { Share } from "../../components/figures.js";
import { Icon } from "../../components/icons.js";
import { Badge, Button, ClassName } from "../../components/parts.js";
import { edit } from "../../draft.js";
import { count, percent } from "../../format.js";
import { link } from "../../router.js";
import { Condition } from "./condition.js";
import { RuleText } from "./rule_text.js";

function Handle({ number, last, order }) {
  const keys = (event) => {
    const to = { ArrowUp: number - 1, ArrowDown: number + 1, Home: 1, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 1 && to <= last && to !== number) order.move(number, to);
  };
  return html`<button
    type="button"
    class="handle"
    data-handle=${number}
    aria-label=${`Rule ${number} of ${last}: drag, or move with the arrow keys`}
    title="Drag, or press the arrow keys"
    onKeyDown=${keys}
    onPointerDown=${(event) => order.grab(event, number)}
  >
    <${Icon} name="grip" /><span class="rule-number">${number}</span>
  </button>`;
}

export function RuleFigures({ stat, number, part }) {
  return html`<div class="rule-figures"><dl>
    <div><dt>Holds for</dt><dd class="number">${count(stat.held)} <span class="muted small">of ${count(stat.rows)} rows (${percent(stat.rows ? stat.held / stat.rows : null, 0)})</span></dd></div>
    <div><dt>Decides</dt><dd class="number">${count(stat.decided)} <span class="muted small">of ${count(stat.rows)} rows</span></dd></div>
    <div><dt>Right</dt><dd><${Share} share=${stat.precision} interval=${stat.interval} of=${stat.decided} /></dd></div>
    </dl><a class="small" href=${link("case", { rule: number, part })}>See the rows<span class="visually-hidden"> of rule ${number}</span></a>
  </div>`;
}

function Actions({ card, last, order, editing, setEditing }) {
  const { number, pinned, off } = card;
  return html`<div class="rule-actions">
    <${Button} small kind="quiet" icon="up" label=${`Move rule ${number} up`} disabled=${number === 1} onClick=${() => order.move(number, number - 1)} />
    <${Button} small kind="quiet" icon="down" label=${`Move rule ${number} down`} disabled=${number === last} onClick=${() => order.move(number, number + 1)} />
    <${Button} small kind="quiet" icon="edit" label=${`Edit rule ${number} as text`} pressed=${editing} onClick=${() => setEditing(!editing)} />
    <${Button} small kind="quiet" icon="pin" label=${pinned ? `Unpin rule ${number}` : `Pin rule ${number}`} pressed=${pinned} onClick=${() => edit(pinned ? "unpin" : "pin", number)} />
    <${Button} small kind="quiet" icon="off" label=${off ? `Switch rule ${number} on` : `Switch rule ${number} off`} pressed=${off} onClick=${() => edit(off ? "switch_on" : "switch_off", number)} />
    <${Button} small kind="quiet" icon="remove" label=${`Delete rule ${number}`} onClick=${() => edit("drop", number)} />
  </div>`;
}

export function RuleCard({ card, rules, form, part, last, classes, order }) {
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState(null);
  const { number } = card;
  const marks = ["card", "rule", order.dragged === number ? "dragged" : "", order.target === number ? "target" : "", card.off ? "off" : ""].join(" ");
  return html`<li class=${marks} data-rule=${number}>
    <div class="rule-head">
      <${Handle} number=${number} last=${last} order=${order} />
      <span class="grow row">
        ${card.name && html`<strong class="label-text">${card.name}</strong>`}
        ${card.off && html`<${Badge} kind="warn">switched off, decides nothing<//>`}
        ${card.pinned && html`<${Badge} kind="accent" icon="pin">pinned<//>`}
      </span>
      <${Actions} card=${card} last=${last} order=${order} editing=${editing} setEditing=${setEditing} />
    </div>
    ${editing
      ? html`<div class="rule-body">
          <${RuleText} rules=${rules} text=${card.text} label=${`Text of rule ${number}`} apply="Apply" edits=${(text) => [{ operation: "replace", arguments: [number, text] }]} onDone=${() => setEditing(false)} />
        </div>`
      : html`<div class="rule-body">
          <ul class="conditions">
            ${card.conditions.map(
              (condition, i) =>
                html`<${Condition}
                  key=${condition.number}
                  condition=${condition}
                  first=${i === 0}
                  rule=${card}
                  rules=${rules}
                  form=${form}
                  open=${open === condition.number}
                  onOpen=${() => setOpen(open === condition.number ? null : condition.number)}
                />`,
            )}
            <li class="condition">
              <div class="condition-line">
                <span class="word">then</span>
                <span class="grow decision"><${ClassName} name=${card.action} classes=${classes} />${card.certainty < 1 && html`<span class="muted small">certainty ${card.certainty}</span>`}</span>
                <${Button} small kind="quiet" icon="plus" label=${`Add a condition to rule ${number}`} aria-expanded=${String(open === "new")} onClick=${() => setOpen(open === "new" ? null : "new")}>Condition<//>
              </div>
              ${open === "new" &&
              html`<div class="adjust">
                <${RuleText} rules=${rules} text="" conditionOnly label=${`New condition of rule ${number}`} apply="Add the condition" edits=${(text) => [{ operation: "add_condition", arguments: [number, text] }]} onDone=${() => setOpen(null)} />
              </div>`}
            </li>
          </ul>
        </div>`}
    ${!card.off && html`<${RuleFigures} stat=${card[part]} number=${number} part=${part} />`}
  </li>`;
}
