// The link of a studio that was started again, for a page that was opened with an earlier one.
import { html, useState } from "../../vendor/preact.js";
import { openLink } from "../studio.js";

export function NewLink() {
  const [link, setLink] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setWrong(!(await openLink(link)));
  };
  return html`<form class="new-link" onSubmit=${submit}>
    <label for="new-link">Link that the studio printed</label>
    <div class="filter-line">
      <input id="new-link" class="grow" value=${link} maxlength="500" autocomplete="off" spellcheck="false" placeholder=${`${location.origin}/#token=…`} aria-describedby=${wrong ? "new-link-problem" : undefined} aria-invalid=${wrong ? "true" : undefined} onInput=${(event) => { setLink(event.target.value); setWrong(false); }} />
      <button type="submit" class="button" disabled=${!link.trim()}>Connect</button>
    </div>
    ${wrong && html`<p id="new-link-problem" class="small bad" role="alert">That is not the link of the studio that answers here. Copy all of it, from the last start.</p>`}
  </form>`;
}
