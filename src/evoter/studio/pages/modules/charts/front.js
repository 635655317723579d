// Candidates of a run: accuracy against complexity; each point can be chosen with the mouse or the keyboard.
import { html } from "../../vendor/preact.js";
import { percent, plural } from "../format.js";
import { extent, linear, ticks } from "./scale.js";
import { useWidth } from "./width.js";

const HEIGHT = 280;
const LEFT = 56;
const RIGHT = 12;
const BOTTOM = 240;

// `points`: [{id, x, y, description}], x is complexity, y the share of right decisions.
export function Front({ points, chosen, onChoose, xLabel, yLabel }) {
  const [ref, width] = useWidth();
  const xRange = extent(points.map((point) => point.x), 0.08);
  const yRange = extent(points.map((point) => point.y), 0.12);
  const x = linear(xRange, [LEFT, width - RIGHT]);
  const y = linear(yRange, [BOTTOM, 14]);
  const ordered = [...points].sort((a, b) => a.x - b.x);
  const path = ordered.map((point, i) => `${i ? "H" : "M"}${x(point.x)}${i ? "V" : " "}${y(point.y)}`).join("");
  const choose = (event, id) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(id);
  };
  return html`<div ref=${ref}>
    <svg class="chart" width=${width} height=${HEIGHT} role="group" aria-label=${`${yLabel} by ${xLabel}: ${plural(points.length, "candidate")}`}>
      ${ticks(...yRange, 4).map(
        (tick) => html`<g><line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(tick)} y2=${y(tick)} /><text x=${LEFT - 8} y=${y(tick) + 4} text-anchor="end">${percent(tick)}</text></g>`,
      )}
      <line class="axis" x1=${LEFT} x2=${width - RIGHT} y1=${BOTTOM} y2=${BOTTOM} />
      ${ticks(...xRange, 6)
        .filter(Number.isInteger)
        .map((tick) => html`<text x=${x(tick)} y=${BOTTOM + 17} text-anchor="middle">${tick}</text>`)}
      <text x=${(LEFT + width) / 2} y=${HEIGHT - 4} text-anchor="middle">${xLabel}</text>
      <path class="line faint" d=${path} />
      ${ordered.map(
        (point) => html`<circle
          key=${point.id}
          class=${point.id === chosen ? "point chosen" : "point"}
          cx=${x(point.x)}
          cy=${y(point.y)}
          r=${point.id === chosen ? 8 : 6}
          tabindex="0"
          role="button"
          aria-pressed=${String(point.id === chosen)}
          aria-label=${point.description}
          onClick=${() => onChoose(point.id)}
          onKeyDown=${(event) => choose(event, point.id)}
        >
          <title>${point.description}</title>
        </circle>`,
      )}
    </svg>
  </div>`;
}
