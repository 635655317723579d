// Line icons, 20 pixels square, drawn in the colour of the text beside them.
import { html } from "../../vendor/preact.js";

const PATHS = {
  table: "M3 5h14v11H3zM3 9h14M8 5v11",
  evolve: "M4 16c6 0 4-12 12-12M4 4c3 0 4 2 5 4M11 12c1 2 2 4 5 4",
  rules: "M4 5h12M4 10h12M4 15h7",
  effect: "M3 10h3l2-5 4 10 2-5h3",
  slices: "M10 10V3a7 7 0 1 1-6.6 4.6zM10 10 3.4 7.6",
  case: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.8 17c.6-3.4 3-5 6.2-5s5.6 1.6 6.2 5",
  guardrails: "M10 3l6 2v5c0 4-2.6 6-6 7-3.4-1-6-3-6-7V5zM7.5 10l2 2 3.5-4",
  history: "M3.5 10a6.5 6.5 0 1 1 2 4.7M3.5 16v-4h4M10 6.5V10l2.5 1.5",
  signoff: "M4 16h12M5 12.5 13.5 4l2.5 2.5L7.5 15l-3 .5z",
  undo: "M8 5 4 9l4 4M4 9h8a4 4 0 0 1 0 8h-2",
  redo: "M12 5l4 4-4 4M16 9H8a4 4 0 0 0 0 8h2",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  pin: "M7 3h6l-1 6 3 3H5l3-3zM10 12v5",
  off: "M10 3v7M6 5.5a6.5 6.5 0 1 0 8 0",
  edit: "M4 16l.5-3L13 4.5l2.5 2.5L7 15.5zM11.5 6 14 8.5",
  remove: "M5 6h10M8 6V4h4v2M6.5 6l.5 10h6l.5-10",
  grip: "M8 5h.01M12 5h.01M8 10h.01M12 10h.01M8 15h.01M12 15h.01",
  plus: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5 5 15",
  good: "M4 10.5l4 4 8-9",
  warn: "M10 3 18 17H2zM10 8v4M10 14.5h.01",
  bad: "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16M7 7l6 6M13 7l-6 6",
  info: "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16M10 9v5M10 6h.01",
  light: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16",
  dark: "M16 12.5A7 7 0 0 1 7.5 4a7 7 0 1 0 8.5 8.5",
  key: "M12.5 11.5a4 4 0 1 0-4-4c0 .6.1 1.1.3 1.6L3 15v2h3v-2h2v-2l1.4-1.8c.9.3 2 .5 3.1.3M13.5 6.5h.01",
  play: "M6 4l10 6-10 6z",
  pause: "M7 4v12M13 4v12",
  stop: "M5 5h10v10H5z",
  save: "M10 3v9M6 8l4 4 4-4M4 16h12",
  open: "M10 13V4M6 8l4-4 4 4M4 16h12",
  mark: "M3 10a7 7 0 0 1 14 0M6 10a4 4 0 0 1 8 0M10 10v7",
};

export function Icon({ name, size = 18 }) {
  return html`<svg width=${size} height=${size} viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width=${name === "grip" ? 2.4 : 1.6} stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <path d=${PATHS[name]} />
  </svg>`;
}
