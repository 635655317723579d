// Linear scales and round tick marks.
export function linear([from, to], [start, end]) {
  const span = to - from || 1;
  const scale = (value) => start + ((value - from) / span) * (end - start);
  scale.invert = (position) => from + ((position - start) / (end - start)) * span;
  return scale;
}

// At most `most` round numbers inside a range.
export function ticks(low, high, most = 5) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const marks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) marks.push(Number((i * step).toPrecision(12)));
  return marks;
}

// The range of numbers, with room on both sides; never empty.
export function extent(values, room = 0.05) {
  const finite = values.filter((value) => Number.isFinite(value));
  if (!finite.length) return [0, 1];
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const margin = (high - low || Math.abs(high) || 1) * room;
  return [low - margin, high + margin];
}
