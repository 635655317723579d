// The values of one column on training and validation rows, class by class.
import { html } from "../../../vendor/preact.js";
import { query } from "../../api.js";
import { Bars, Histogram } from "../../charts/histogram.js";
import { ClassName, Failure } from "../../components/parts.js";
import { count, value } from "../../format.js";
import { useLoaded } from "../../loading.js";

const total = (counts) => counts.reduce((sum, n) => sum + n, 0);

function Each({ name, counts, classes, column }) {
  return html`<figure class="stack tight">
    <figcaption class="row small">${name == null ? "All classes" : html`<${ClassName} name=${name} classes=${classes} />`}<span class="muted">${count(total(counts))} rows</span></figcaption>
    ${column.bins?.length
      ? html`<${Histogram} edges=${[...column.bins.map((bin) => bin.low), column.bins.at(-1).high]} counts=${counts} low=${column.low} high=${column.high} label=${`Distribution of ${column.column}${name == null ? "" : ` where the target is ${name}`}: ${count(total(counts))} rows from ${value(column.low)} to ${value(column.high)}`} />`
      : html`<${Bars} label=${`Values of ${column.column}`} names=${column.categories.slice(0, 15).map((each) => each.name)} counts=${counts.slice(0, 15)} />`}
  </figure>`;
}

export function Distribution({ name }) {
  const { data: column, error, reload } = useLoaded(query("/api/columns", { column: name }));
  if (error) return html`<${Failure} error=${error} onRetry=${reload} />`;
  if (!column) return html`<div class="waiting-block" role="status"><span class="visually-hidden">Loading ${name}</span></div>`;
  const cells = column.bins?.length ? column.bins : column.categories;
  if (!cells?.length) return html`<p class="muted">No values to show.</p>`;
  return html`<div class="distribution">
    ${column.classes.slice(0, 6).map((label, i) => html`<${Each} name=${label} counts=${cells.map((cell) => cell.counts[i])} classes=${column.classes} column=${column} />`)}
  </div>
  <p class="small muted">${count(total(column.missing))} missing.</p>`;
}
