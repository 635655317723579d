// The history of a run: the best score, and its mean, generation by generation.
import { html } from "../../vendor/preact.js";
import { count, percent } from "../format.js";
import { extent, linear, ticks } from "./scale.js";
import { useWidth } from "./width.js";

const HEIGHT = 280;
const LEFT = 56;
const RIGHT = 12;
const BOTTOM = 240;

// `series`: [{name, values: [[generation, score], ...], second}].
export function Progress({ series, label }) {
  const [ref, width] = useWidth();
  const all = series.flatMap((line) => line.values);
  const last = Math.max(1, ...all.map(([generation]) => generation));
  const range = extent(all.map(([, score]) => score), 0.12);
  const x = linear([0, last], [LEFT, width - RIGHT]);
  const y = linear(range, [BOTTOM, 14]);
  const path = (values) => values.map(([g, s], i) => `${i ? "L" : "M"}${x(g).toFixed(1)} ${y(s).toFixed(1)}`).join("");
  return html`<div ref=${ref}>
    <svg class="chart" width=${width} height=${HEIGHT} role="img" aria-label=${label}>
      ${ticks(...range, 4).map(
        (tick) => html`<g><line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(tick)} y2=${y(tick)} /><text x=${LEFT - 8} y=${y(tick) + 4} text-anchor="end">${percent(tick)}</text></g>`,
      )}
      <line class="axis" x1=${LEFT} x2=${width - RIGHT} y1=${BOTTOM} y2=${BOTTOM} />
      ${ticks(0, last, 6)
        .filter(Number.isInteger)
        .map((tick) => html`<text x=${x(tick)} y=${BOTTOM + 17} text-anchor="middle">${count(tick)}</text>`)}
      <text x=${(LEFT + width) / 2} y=${HEIGHT - 4} text-anchor="middle">generation</text>
      ${series.map((line) => html`<path class=${line.second ? "line second" : "line"} d=${path(line.values)} />`)}
    </svg>
  </div>`;
}
