// Unsaved edits at the foot of every view: what they do, the reason for them, keeping or discarding them.
import { html, useState } from "../../vendor/preact.js";
import { Badge, Button, Notice } from "../components/parts.js";
import { branch, discard, dismissLeft, effectSentence, keep, rebase, takeFitting } from "../draft.js";
import { plural } from "../format.js";
import { link } from "../router.js";

const Refusals = ({ refused }) => html`<ul class="changes">${refused.map(({ change, reason }) => html`<li class="small"><span class="label-text">${change}</span> <span class="muted label-text">– ${reason}</span></li>`)}</ul>`;

// What was edited by others as well is not decided here: the edits that fit may be made, or all of them on a branch.
function Unfit({ draft }) {
  const { base, edits, refused } = draft.rebased;
  return html`<${Notice} kind="warn" role="alert">
    <strong>${plural(refused.length, "edit")} cannot be made on version ${base}, because somebody else changed the same place.</strong>
    <${Refusals} refused=${refused} />
    <div class="row">
      ${edits.length > 0 && html`<${Button} small kind="primary" onClick=${takeFitting}>Apply the ${edits.length === 1 ? "other one" : `other ${edits.length}`} to version ${base}<//>`}
      <${Button} small onClick=${branch}>Go on from version ${draft.base}, as a branch<//>
    </div>
  <//>`;
}

function Left({ refused }) {
  return html`<${Notice} kind="warn" onClose=${dismissLeft}>
    <strong>${refused.length === 1 ? "This edit was" : "These edits were"} not applied:</strong>
    <${Refusals} refused=${refused} />
  <//>`;
}

function Conflict({ draft, head }) {
  const { author, id, reason } = draft.conflict;
  return html`<${Notice} kind="warn" role="alert">
    <strong>${author || "Somebody"} saved version ${id ?? head} while you were editing version ${draft.base}.</strong>
    <div>${reason && html`Reason given: ${reason}. `}Your edits are all still here.</div>
    <div class="row">
      <${Button} small kind="primary" onClick=${rebase}>Apply my edits to version ${head}<//>
      <${Button} small onClick=${branch}>Go on from version ${draft.base}, as a branch<//>
    </div>
  <//>`;
}

function Broken({ violations }) {
  return html`<${Notice} kind="warn">
    <strong>Guardrails may be broken.</strong> <span class="small">The Guardrails view settles it with a proof once the edits are kept.</span>
    <div class="small label-text">${violations[0]}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ""}</div>
  <//>`;
}

export function DraftBar({ state }) {
  const { draft, versions } = state;
  const [reason, setReason] = useState("");
  if (!draft?.edits.length) return draft?.left.length ? html`<section class="draft" aria-label="Edits that were not applied"><${Left} refused=${draft.left} /></section>` : null;
  const { preview, busy, conflict, rebased, left } = draft;
  const submit = async (event) => {
    event.preventDefault();
    if (reason.trim() && (await keep(reason.trim()))) setReason("");
  };
  return html`<section class="draft" aria-label="Unsaved changes">
    ${conflict && (rebased ? html`<${Unfit} draft=${draft} />` : html`<${Conflict} draft=${draft} head=${versions.head} />`)}
    ${left.length > 0 && html`<${Left} refused=${left} />`}
    ${preview && !preview.guardrails.kept && html`<${Broken} violations=${preview.guardrails.violations} />`}
    <div class="draft-line">
      <${Badge} kind="warn">${plural(draft.edits.length, "unsaved edit")}<//>
      <span class="grow small draft-effect">${preview ? effectSentence(preview.effect) : "Trying it on the rows"}</span>
      <a class="small" href=${link("effect")}>Details</a>
    </div>
    <form class="draft-line" onSubmit=${submit}>
      <div class="field grow">
        <label for="draft-reason" class="visually-hidden">Reason for the change</label>
        <input id="draft-reason" value=${reason} maxlength="2000" placeholder="Reason for the change (kept in the record)" onInput=${(event) => setReason(event.target.value)} />
      </div>
      <button class="button primary" type="submit" disabled=${busy || Boolean(conflict) || !reason.trim()}>Keep</button>
      <${Button} onClick=${discard}>Discard<//>
    </form>
  </section>`;
}
