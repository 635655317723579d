// The nine views in the order of the work, who is working, and whether the server is there.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { author, setAuthor } from "../author.js";
import { Dialog } from "../components/dialog.js";
import { Icon } from "../components/icons.js";
import { Button } from "../components/parts.js";
import { link } from "../router.js";
import { theme, toggleTheme } from "../theme.js";
import { CaseView } from "../views/case/view.js";
import { EffectView } from "../views/effect/view.js";
import { EvolveView } from "../views/evolve/view.js";
import { GuardrailsView } from "../views/guardrails/view.js";
import { HistoryView } from "../views/history/view.js";
import { RulesView } from "../views/rules/view.js";
import { SignoffView } from "../views/signoff/view.js";
import { SlicesView } from "../views/slices/view.js";
import { TableView } from "../views/table/view.js";

export const VIEWS = [
  { id: "table", name: "Table", stage: "Prepare", view: TableView },
  { id: "evolve", name: "Evolve", stage: "Prepare", view: EvolveView },
  { id: "rules", name: "Rules", stage: "Edit", view: RulesView },
  { id: "effect", name: "Effect", stage: "Edit", view: EffectView },
  { id: "slices", name: "Slices", stage: "Examine", view: SlicesView },
  { id: "case", name: "Case", stage: "Examine", view: CaseView },
  { id: "guardrails", name: "Guardrails", stage: "Examine", view: GuardrailsView },
  { id: "history", name: "History", stage: "Record", view: HistoryView },
  { id: "signoff", name: "Sign-off", stage: "Record", view: SignoffView },
];
const STAGES = [...new Set(VIEWS.map(({ stage }) => stage))];
const CONNECTIONS = { live: ["", "Connected"], connecting: ["waiting", "Connecting"], lost: ["lost", "Connection lost"], refused: ["lost", "New link needed"], ended: ["lost", "Studio closed"] };

function Author({ onClose }) {
  const [name, setName] = useState(author());
  const save = (event) => {
    event.preventDefault();
    setAuthor(name.trim());
    event.target.closest("dialog").close();
  };
  return html`<${Dialog} title="Your name" onClose=${onClose}>
    <form onSubmit=${save}>
      <div class="field">
        <label for="author-name">Name in the record</label>
        <input id="author-name" value=${name} maxlength="200" onInput=${(event) => setName(event.target.value)} />
        <span class="hint">It is written beside every change that you make from now on.</span>
      </div>
      <div class="actions"><button class="button primary" type="submit">Use this name</button></div>
    </form>
  <//>`;
}

function Foot({ state }) {
  const [shade, setShade] = useState(theme);
  const [naming, setNaming] = useState(false);
  const [dot, words] = CONNECTIONS[state.connection];
  const name = author() || "no name";
  return html`<div class="side-foot">
    <div class="row spread wide-only">
      <span class="grow label-text">${name}</span>
      ${!state.project.author_fixed && html`<${Button} kind="quiet" small onClick=${() => setNaming(true)}>Change<//>`}
    </div>
    <div class="row spread">
      <span class="connection"><span class=${`dot ${dot}`}></span><span>${words}</span></span>
      <${Button} icon=${shade === "dark" ? "light" : "dark"} kind="quiet" small label=${shade === "dark" ? "Use light colours" : "Use dark colours"} onClick=${() => setShade(toggleTheme())} />
    </div>
    ${naming && html`<${Author} onClose=${() => setNaming(false)} />`}
  </div>`;
}

export function Navigation({ state, view }) {
  // Where the views are one line that is wider than the screen, the current one is in sight.
  const bar = useRef(null);
  useEffect(() => {
    const link = bar.current?.querySelector("[aria-current]");
    if (link) bar.current.scrollLeft = link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2;
  }, [view]);
  return html`<header class="side">
    <div class="brand">
      <span class="brand-name"><${Icon} name="rules" />EVOTER</span>
      <span class="project" title=${state.project.name}>${state.project.name}</span>
    </div>
    <nav class="nav" aria-label="Views" ref=${bar}>
      ${STAGES.map(
        (stage) => html`<div key=${stage}>
          <h2>${stage}</h2>
          <ul>
            ${VIEWS.filter((each) => each.stage === stage).map(
              ({ id, name }) => html`<li><a href=${link(id)} aria-current=${id === view ? "page" : undefined}><${Icon} name=${id} />${name}</a></li>`,
            )}
          </ul>
        </div>`,
      )}
    </nav>
    <${Foot} state=${state} />
  </header>`;
}
