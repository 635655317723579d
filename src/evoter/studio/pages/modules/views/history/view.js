// History: every version with who, when and why, branches, and any two of them side by side.
import { html, useState } from "../../../vendor/preact.js";
import { download } from "../../api.js";
import { Badge, Button, Empty, PageHead } from "../../components/parts.js";
import { moment, plural, shortHash } from "../../format.js";
import { link } from "../../router.js";
import { moveHead } from "../../studio.js";
import { Comparison } from "./comparison.js";
import { Import } from "./import.js";

const KINDS = { begin: "start", edit: "edit", evolve: "evolved", repair: "repair", import: "imported" };

// The column of each version: a child goes on in the column of its parent, further children open new ones.
export function lanes(versions) {
  const lane = new Map();
  let free = 0;
  for (const version of [...versions].sort((a, b) => a.id - b.id)) {
    const parent = versions.find((each) => each.id === version.parent);
    const eldest = parent && Math.min(...parent.children) === version.id;
    if (eldest) lane.set(version.id, lane.get(parent.id));
    else {
      lane.set(version.id, free);
      free += 1;
    }
  }
  return lane;
}

function Version({ version, lane, picked, onPick, disabled }) {
  const { id, author, time, reason, changes, hash, size, is_head: head, signed, kind } = version;
  const tag = "label-text";
  return html`<li class=${`card version ${head ? "current" : ""} lane-${Math.min(lane, 4)}`} data-version=${id}>
    <div class="row spread">
      <span class="row"><strong>Version ${id}</strong>${head && html`<${Badge} kind="accent">current<//>`}${signed && html`<${Badge} kind="good" icon="signoff">signed<//>`}<${Badge}>${KINDS[kind] ?? kind}<//>${lane > 0 && html`<${Badge}>branch ${lane}<//>`}</span>
      <span class="row">
        <span class="field inline"><input type="checkbox" id=${`pick-${id}`} checked=${picked} disabled=${disabled} onChange=${() => onPick(id)} /><label for=${`pick-${id}`}>Compare<span class="visually-hidden"> version ${id}</span></label></span>
        ${!head && html`<${Button} small onClick=${() => moveHead(id, `went to version ${id}`)}>Make current<span class="visually-hidden"> version ${id}</span><//>`}
      </span>
    </div>
    <p class=${tag}>${reason || html`<span class="muted">no reason given</span>`}</p>
    ${changes.length > 0 && html`<ul class="changes">${changes.slice(0, 6).map((text) => html`<li class="small"><span class=${tag}>${text}</span></li>`)}${changes.length > 6 && html`<li class="small muted">and ${changes.length - 6} more</li>`}</ul>`}
    <p class="small muted">
      <span class=${tag}>${author || "unknown"}</span> · <time datetime=${time}>${moment(time)}</time> · ${plural(size.rules, "rule")}, ${plural(size.conditions, "condition")}${version.parent != null && ` · from version ${version.parent}`} · <code title=${hash}>${shortHash(hash)}</code>
    </p>
  </li>`;
}

export function HistoryView({ state, values }) {
  const { versions } = state.versions;
  const asked = [values.get("a"), values.get("b")].filter((each) => each != null).map(Number);
  const [picked, setPicked] = useState(asked);
  const pick = (id) => setPicked(picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id].slice(-2));
  const actions = html`<${Import} />${versions.length > 0 && html`<${Button} icon="save" onClick=${() => download("/api/export", state.project.file || "project.evoter")}>Save the project file<//>`}`;
  const head = html`<${PageHead} title="History" actions=${actions}>Nothing is ever overwritten: going back keeps what came after as a branch.<//>`;
  if (!versions.length) return html`${head}<${Empty} icon="history" title="No versions yet"><p>The first rules, evolved or given, are version 1.</p><a class="button primary" href=${link("evolve")}>Evolve rules</a><//>`;
  const lane = lanes(versions);
  const [a, b] = [...picked].sort((x, y) => x - y);
  return html`${head}
    ${picked.length === 2 ? html`<${Comparison} key=${`${a} ${b}`} a=${a} b=${b} state=${state} onClose=${() => setPicked([])} />` : html`<p class="small muted" role="status">${picked.length ? "Choose a second version to compare with." : "Choose two versions to see them side by side."}</p>`}
    <ol class="stack tight versions">${[...versions].sort((x, y) => y.id - x.id).map((version) => html`<${Version} key=${version.id} version=${version} lane=${lane.get(version.id)} picked=${picked.includes(version.id)} onPick=${pick} />`)}</ol>`;
}
