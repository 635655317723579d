// Estimates with their intervals, one line each, on a common scale: groups, classes, differences.
import { html } from "../../vendor/preact.js";
import { ticks } from "./scale.js";

// Positions are percentages, so that the lines stay beside their names at any width.
function place([low, high]) {
  return (number) => `${4 + (92 * (number - low)) / (high - low || 1)}%`;
}

// `rows`: [{name, detail, estimate, low, high, apart}]; `reference` is a dashed line; `write` formats a number.
export function Intervals({ rows, reference, write, domain }) {
  const numbers = rows.flatMap((row) => [row.low ?? row.estimate, row.high ?? row.estimate]).concat(reference ?? []);
  const finite = numbers.filter(Number.isFinite);
  const range = domain ?? [Math.min(0, ...finite), Math.max(0.01, ...finite)];
  const x = place(range);
  const marks = ticks(...range, 4);
  return html`<ul class="intervals">
    ${rows.map(
      (row) => html`<li>
        <span class="intervals-name"><span class="label-text">${row.name}</span><span class="number muted small">${row.detail}</span></span>
        <svg class="chart strip" height="28" aria-hidden="true">
          ${marks.map((tick) => html`<line class="grid" x1=${x(tick)} x2=${x(tick)} y1="0" y2="28" />`)}
          ${reference != null && html`<line class="zero" x1=${x(reference)} x2=${x(reference)} y1="0" y2="28" />`}
          ${Number.isFinite(row.low) && html`<line class=${row.apart ? "range apart" : "range"} x1=${x(row.low)} x2=${x(row.high)} y1="14" y2="14" />`}
          ${Number.isFinite(row.estimate) && html`<circle class=${row.apart ? "estimate apart" : "estimate"} cx=${x(row.estimate)} cy="14" r="5" />`}
        </svg>
        <span class="intervals-value number">${row.text}</span>
      </li>`,
    )}
    <li aria-hidden="true">
      <span class="intervals-name"></span>
      <svg class="chart strip" height="18">${marks.map((tick) => html`<text x=${x(tick)} y="13" text-anchor="middle">${write(tick)}</text>`)}</svg>
      <span class="intervals-value"></span>
    </li>
  </ul>`;
}
