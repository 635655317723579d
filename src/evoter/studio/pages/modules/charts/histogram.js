// The distribution of a feature, with the part that a condition selects, its threshold now and before.
import { html } from "../../vendor/preact.js";
import { count, value } from "../format.js";
import { linear, ticks } from "./scale.js";
import { useWidth } from "./width.js";

const HEIGHT = 120;
const BASE = 96;
const SIDE = 8;

export function Histogram({ edges, counts, low, high, threshold, before, holds, label }) {
  const [ref, width] = useWidth();
  const x = linear([low, high], [SIDE, width - SIDE]);
  const y = linear([0, Math.max(1, ...counts)], [BASE, 10]);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const anchor = (tick) => (x(tick) < 16 ? "start" : x(tick) > width - 16 ? "end" : "middle");
  return html`<div ref=${ref}>
    <svg class="chart" width=${width} height=${HEIGHT} role="img" aria-label=${label}>
      ${counts.map((n, i) => {
        const [left, right] = [x(edges[i]), x(edges[i + 1])];
        const inside = holds && holds((edges[i] + edges[i + 1]) / 2);
        return html`<rect class=${inside ? "bin inside" : "bin"} x=${left + 0.5} y=${y(n)} width=${Math.max(0.5, right - left - 1)} height=${BASE - y(n)}>
          <title>${value(edges[i])} to ${value(edges[i + 1])}: ${count(n)} of ${count(total)} rows</title>
        </rect>`;
      })}
      <line class="axis" x1=${SIDE} x2=${width - SIDE} y1=${BASE} y2=${BASE} />
      ${ticks(low, high, Math.max(2, Math.floor(width / 90))).map((tick) => html`<text x=${x(tick)} y=${BASE + 16} text-anchor=${anchor(tick)}>${value(tick)}</text>`)}
      ${before != null && before !== threshold && html`<line class="mark-line old" x1=${x(before)} x2=${x(before)} y1="2" y2=${BASE} />`}
      ${threshold != null && html`<line class="mark-line" x1=${x(threshold)} x2=${x(threshold)} y1="2" y2=${BASE} />`}
    </svg>
  </div>`;
}

// Categories of a feature as bars, for features without an order.
export function Bars({ names, counts, label }) {
  const total = Math.max(1, counts.reduce((sum, n) => sum + n, 0));
  return html`<ul class="bars" aria-label=${label}>
    ${names.map(
      (name, i) => html`<li>
        <span class="bars-name" title=${name}>${name}</span>
        <svg class="meter" aria-hidden="true"><rect width=${`${(100 * counts[i]) / total}%`} height="6" /></svg>
        <span class="number small muted">${count(counts[i])} (${((100 * counts[i]) / total).toFixed(0)} %)</span>
      </li>`,
    )}
  </ul>`;
}
