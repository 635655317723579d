// Figures of rules on rows: every share with its interval and the count behind it.
import { html } from "../../vendor/preact.js";
import { count, percent, percentRange, points, signed } from "../format.js";

const RANGE = "95 % interval";

export function Share({ share, interval, of, small }) {
  if (share == null) return html`<span class="muted">no rows</span>`;
  const range = interval ? percentRange(...interval) : "";
  return html`<span class=${small ? "number small" : "number"}>${percent(share)}${range && html` <span class="muted small" title=${RANGE}>(${range})</span>`}${of != null && html` <span class="muted small">of ${count(of)}</span>`}</span>`;
}

export function Figure({ label, value, range, delta, better }) {
  const tone = delta == null || !better ? "muted" : better > 0 ? "good" : "bad";
  return html`<div class="figure">
    <span class="label">${label}</span>
    <span class="value">${value}</span>
    <span class="range">${range}</span>
    ${delta != null && html`<span class=${`delta ${tone}`}>${delta}</span>`}
  </div>`;
}

// Accuracy and its companions on one part of the rows, with what changed since `before`.
export function FiguresOf({ figures, before, label = "Accuracy" }) {
  const moved = (name) => (before && before[name] != null && figures[name] != null ? figures[name] - before[name] : null);
  const accuracy = moved("accuracy");
  const balanced = moved("balanced_accuracy");
  return html`<div class="figures">
    <${Figure}
      label=${label}
      value=${percent(figures.accuracy)}
      range=${`${percentRange(...(figures.interval ?? []))} · ${count(figures.right)} of ${count(figures.rows)} rows`}
      delta=${accuracy == null ? null : points(accuracy)}
      better=${Math.sign(accuracy ?? 0)}
    />
    <${Figure}
      label="Balanced accuracy"
      value=${percent(figures.balanced_accuracy)}
      range=${`mean over ${count(figures.classes.length)} classes`}
      delta=${balanced == null ? null : points(balanced)}
      better=${Math.sign(balanced ?? 0)}
    />
    <${Figure} label="Always the most frequent class" value=${percent(figures.baseline)} range=${`of ${count(figures.rows)} rows`} />
  </div>`;
}

export function Change({ before, after, whole }) {
  if (before == null || after == null) return html`<span class="muted">–</span>`;
  const difference = after - before;
  const text = whole ? signed(difference) : points(difference);
  const tone = whole || Math.abs(difference) < 0.0005 ? "muted" : difference > 0 ? "good" : "bad";
  return html`<span class=${`number delta ${tone}`}>${text}</span>`;
}
