// The frame around the views: what is shown before the project is there, navigation, figures, messages.
import { html, render, useEffect, useErrorBoundary } from "../vendor/preact.js";
import { Failure, Notice } from "./components/parts.js";
import { Icon } from "./components/icons.js";
import { Bar } from "./frame/bar.js";
import { DraftBar } from "./frame/draft_bar.js";
import { Navigation, VIEWS } from "./frame/navigation.js";
import { NewLink } from "./frame/new_link.js";
import { useRoute } from "./router.js";
import { dismiss, useStudio } from "./store.js";
import { redo, start, undo } from "./studio.js";
import { applyTheme } from "./theme.js";

function Locked() {
  return html`<main class="gate">
    <div class="card gate-card">
      <${Icon} name="key" size=${32} />
      <h1>This address needs its key</h1>
      <p>Open the complete link that the studio printed when it started. It ends in <code>#token=…</code> and works until the studio is closed.</p>
      <${NewLink} />
    </div>
  </main>`;
}

function Starting() {
  return html`<main class="gate"><div class="card gate-card" role="status"><${Icon} name="rules" size=${32} /><p class="muted">Reading the project</p></div></main>`;
}

function Failed({ error }) {
  return html`<main class="gate">
    <div class="card gate-card"><h1>The project could not be read</h1><${Failure} error=${error} onRetry=${() => location.reload()} /></div>
  </main>`;
}

function Connection({ state }) {
  if (state === "refused")
    return html`<div class="banner" role="alert">
      <strong>The studio was started again, and has a new link.</strong> What you see, and your edits, stay here until you paste it.
      <${NewLink} />
    </div>`;
  if (state !== "lost" && state !== "ended") return null;
  return html`<div class="banner" role="alert">
    <strong>${state === "ended" ? "The studio was closed." : "The connection to the studio is lost."}</strong>
    ${" "}Everything that was saved is in the project file. Start the studio again with the same command; then this page goes on, or asks for the new link.
  </div>`;
}

function Messages({ messages }) {
  return html`<div class="toasts" role="region" aria-label="Messages">
    ${messages.map(
      ({ id, kind, text, hint }) => html`<${Notice} key=${id} kind=${kind} role=${kind === "bad" ? "alert" : "status"} onClose=${() => dismiss(id)}>
        <strong>${text}</strong>${hint && html`<div class="small">${hint}</div>`}
      <//>`,
    )}
  </div>`;
}

// Ctrl+Z and Ctrl+Shift+Z work everywhere but in a text field, where they belong to the text.
function useUndoKeys() {
  useEffect(() => {
    const pressed = (event) => {
      const typing = event.target.closest?.("textarea, input:not([type=range], [type=checkbox], [type=radio])");
      if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

// A mistake in one view must not take the others with it.
function Guarded({ view, ...more }) {
  const [error, reset] = useErrorBoundary();
  if (!error) return html`<${view} ...${more} />`;
  return html`<${Failure} error=${{ message: "This view cannot be shown.", hint: error.message }} onRetry=${reset} />`;
}

function Studio() {
  const state = useStudio();
  const route = useRoute();
  useUndoKeys();
  const view = VIEWS.find(({ id }) => id === route.view) ?? VIEWS.find(({ id }) => id === (state.rules ? "rules" : "table"));
  useEffect(() => {
    // A new view starts at its top, and a screen reader starts at its title.
    scrollTo(0, 0);
    if (state.phase === "ready" && route.view) document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [view.id]);
  if (state.phase === "locked") return html`<${Locked} />`;
  if (state.phase === "failed") return html`<${Failed} error=${state.failure} />`;
  if (state.phase === "starting") return html`<${Starting} />`;
  return html`
    <a class="skip" href="#page-title" onClick=${(event) => { event.preventDefault(); document.getElementById("page-title").focus(); }}>Skip to content</a>
    <div class="frame">
      <${Navigation} state=${state} view=${view.id} />
      <div class="main">
        <${Connection} state=${state.connection} />
        <${Bar} state=${state} />
        <main class="page"><${Guarded} key=${view.id} view=${view.view} state=${state} values=${route.values} /></main>
        <${DraftBar} state=${state} />
      </div>
    </div>
    <${Messages} messages=${state.messages} />
    <div class="visually-hidden" role="status" aria-live="polite">${state.spoken}</div>
  `;
}

applyTheme();
render(html`<${Studio} />`, document.getElementById("studio"));
start();
