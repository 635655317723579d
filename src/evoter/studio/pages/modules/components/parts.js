// Small parts: buttons, cards, badges, notices, and what stands in for data that is missing or late.
import { html } from "../../vendor/preact.js";
import { Icon } from "./icons.js";

export function Button({ icon, label, kind = "", small, pressed, children, ...more }) {
  const names = ["button", kind, small ? "small" : "", children || !icon ? "" : "icon"].filter(Boolean).join(" ");
  return html`<button type="button" class=${names} aria-label=${label} title=${label} aria-pressed=${pressed == null ? undefined : String(pressed)} ...${more}>
    ${icon && html`<${Icon} name=${icon} size=${small ? 16 : 18} />`}${children}
  </button>`;
}

export function Card({ title, note, actions, flush, level = 2, children, ...more }) {
  return html`<section class="card" ...${more}>
    ${(title || actions) &&
    html`<header class="card-head">
      <div>${title && (level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`)}${note && html`<p>${note}</p>`}</div>
      ${actions && html`<div class="row">${actions}</div>`}
    </header>`}
    <div class=${flush ? "card-body flush" : "card-body"} tabindex=${flush ? "0" : undefined} role=${flush ? "group" : undefined} aria-label=${flush ? title : undefined}>${children}</div>
  </section>`;
}

export const Badge = ({ kind = "", icon, children }) => html`<span class=${`badge ${kind}`}>${icon && html`<${Icon} name=${icon} size=${13} />`}${children}</span>`;

export function Notice({ kind = "info", children, onClose, ...more }) {
  return html`<div class=${`notice ${kind}`} ...${more}>
    <${Icon} name=${kind} />
    <div class="row spread"><div class="grow">${children}</div>${onClose && html`<${Button} icon="close" label="Dismiss" kind="quiet" small onClick=${onClose} />`}</div>
  </div>`;
}

export function Failure({ error, onRetry }) {
  return html`<${Notice} kind="bad" role="alert">
    <strong>${error.message}</strong>
    ${error.hint && html`<div>${error.hint}</div>`}
    ${onRetry && html`<div><${Button} small onClick=${onRetry}>Try again<//></div>`}
  <//>`;
}

export const Waiting = ({ what }) => html`<div class="waiting-block" role="status"><span class="visually-hidden">Loading ${what}</span></div>`;

export function Empty({ icon, title, children }) {
  return html`<div class="card empty"><${Icon} name=${icon} size=${32} /><h2>${title}</h2>${children}</div>`;
}

export function PageHead({ title, children, actions }) {
  return html`<header class="page-head">
    <div><h1 id="page-title" tabindex="-1">${title}</h1><p>${children}</p></div>
    ${actions && html`<div class="row">${actions}</div>`}
  </header>`;
}

// A choice of a few: buttons of which one is pressed.
export function Choice({ label, options, chosen, onChoose }) {
  return html`<div class="tabs" role="group" aria-label=${label}>
    ${options.map(([value, text]) => html`<button type="button" key=${value} aria-pressed=${String(value === chosen)} onClick=${() => onChoose(value)}>${text}</button>`)}
  </div>`;
}

// A class of the target with its colour; the name is always written, so the colour is never alone.
export function ClassName({ name, classes }) {
  const place = classes ? classes.indexOf(name) : -1;
  return html`<span class=${`class-${place < 0 ? 0 : (place % 6) + 1} class-name`}><span class="swatch" aria-hidden="true"></span> <span class="label-text">${name}</span></span>`;
}
