// Unsaved edits at the foot of every view: what they do, the reason for them, keeping or discarding them.
import { html, useState } from "../../vendor/preact.js";
import { Badge, Button, Notice } from "../components/parts.js";
import { branch, discard, effectSentence, keep, rebase } from "../draft.js";
import { plural } from "../format.js";
import { link } from "../router.js";

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
  return html`<${Notice} kind="bad">
    <strong>${plural(violations.length, "guardrail")} would be broken.</strong>
    ${violations.slice(0, 3).map((text) => html`<div class="small">${text}</div>`)}
  <//>`;
}

export function DraftBar({ state }) {
  const { draft, versions } = state;
  const [reason, setReason] = useState("");
  if (!draft?.edits.length) return null;
  const { preview, busy, conflict } = draft;
  const submit = async (event) => {
    event.preventDefault();
    if (reason.trim() && (await keep(reason.trim()))) setReason("");
  };
  return html`<section class="draft" aria-label="Unsaved changes">
    ${conflict && html`<${Conflict} draft=${draft} head=${versions.head} />`}
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
