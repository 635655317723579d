// The bar above every view: which version it is, how it does on validation rows, undo and redo.
import { html } from "../../vendor/preact.js";
import { Button } from "../components/parts.js";
import { count, percent, percentRange, plural } from "../format.js";
import { shownRules } from "../identity.js";
import { redo, redoTarget, undo, undoTarget } from "../studio.js";

function BarFigure({ name, children, wide }) {
  return html`<div class=${wide ? "bar-figure wide-only" : "bar-figure"}><dt>${name}</dt><dd>${children}</dd></div>`;
}

export function Bar({ state }) {
  const rules = shownRules(state);
  const { draft, versions, project } = state;
  return html`<section class="bar" aria-label="Current version">
    <dl class="bar-figures">
      <${BarFigure} name="Version">${versions.head == null ? "none yet" : draft?.edits.length ? html`${draft.base} <span class="warn">+ ${plural(draft.edits.length, "edit")}</span>` : versions.head}<//>
      ${rules &&
      html`<${BarFigure} name="Validation accuracy">
          ${percent(rules.validation.accuracy)}${" "}<span class="muted bar-range">(${percentRange(...(rules.validation.interval ?? []))})</span>
        <//>
        <${BarFigure} name="Size" wide>${plural(rules.size.rules, "rule")}, ${plural(rules.size.conditions, "condition")}<//>`}
      <${BarFigure} name="Rows" wide>${count(project.rows.training)} training, ${count(project.rows.validation)} validation, ${count(project.rows.test)} test${project.openings ? "" : " (closed)"}<//>
    </dl>
    <div class="row no-wrap">
      <${Button} icon="undo" kind="quiet" label="Undo (Ctrl+Z)" disabled=${undoTarget(state) == null} onClick=${undo} />
      <${Button} icon="redo" kind="quiet" label="Redo (Ctrl+Shift+Z)" disabled=${redoTarget(state) == null} onClick=${redo} />
    </div>
  </section>`;
}
