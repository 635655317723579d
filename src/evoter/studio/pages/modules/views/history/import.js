// Importing a project file: chosen, given a reason, checked by the server as a whole, and only then taken in.
import { html, useState } from "../../../vendor/preact.js";
import { query, upload } from "../../api.js";
import { signature } from "../../author.js";
import { Dialog } from "../../components/dialog.js";
import { Button, Failure } from "../../components/parts.js";
import { tell } from "../../store.js";
import { reload } from "../../studio.js";

const OUTCOMES = {
  same: () => "The file has nothing that is not here already.",
  continued: (version) => `The file continues this project: all its entries were added. Version ${version} is the current one.`,
  opened: (version) => `The project of the file is open, with its whole history.${version == null ? "" : ` Version ${version} is the current one.`}`,
  branch: (version) => `The file has another history. Its current rules became version ${version}.`,
};

function ImportDialog({ onClose }) {
  const [file, setFile] = useState(null);
  const [reason, setReason] = useState("");
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const dialog = event.target.closest("dialog");
    setBusy(true);
    setError(null);
    try {
      const { outcome, version } = await upload(query("/api/import", { reason: reason.trim(), ...signature() }), file);
      await reload();
      tell("good", OUTCOMES[outcome](version));
      dialog.close();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return html`<${Dialog} title="Import a project file" onClose=${onClose}>
    <form class="stack tight" onSubmit=${submit}>
      <p class="small">A file that somebody saved in the studio. Its record is verified first; if it continues this project, or nobody has worked in this one yet, everything in it is taken over. Otherwise its current rules become a version here.</p>
      <div class="field"><label for="import-file">File</label><input id="import-file" type="file" accept=".evoter" onChange=${(event) => setFile(event.target.files[0] ?? null)} /></div>
      <div class="field"><label for="import-reason">Reason</label><input id="import-reason" value=${reason} maxlength="2000" placeholder="Where it comes from (kept in the record)" onInput=${(event) => setReason(event.target.value)} /></div>
      ${error && html`<${Failure} error=${error} />`}
      <div class="actions"><button type="submit" class="button primary" disabled=${busy || !file || !reason.trim()}>${busy ? "Checking the file" : "Import"}</button></div>
    </form>
  <//>`;
}

export function Import() {
  const [open, setOpen] = useState(false);
  return html`<${Button} icon="open" onClick=${() => setOpen(true)}>Import a project file<//>${open && html`<${ImportDialog} onClose=${() => setOpen(false)} />`}`;
}
