// How numbers, counts, intervals and times are written, the same in every view.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (n) => (n == null ? "–" : whole.format(n));

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

export function percent(share, digits = 1) {
  return share == null || Number.isNaN(share) ? "–" : `${(100 * share).toFixed(digits)} %`;
}

export function percentRange(low, high) {
  return low == null || high == null ? "" : `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}

// A difference of shares, in percentage points, with its sign; a true minus sign, so that columns line up.
export function points(difference, digits = 1) {
  if (difference == null || Number.isNaN(difference)) return "–";
  const rounded = (100 * difference).toFixed(digits);
  if (Number(rounded) === 0) return `±${(0).toFixed(digits)} pp`;
  return `${difference > 0 ? "+" : "−"}${rounded.replace("-", "")} pp`;
}

export function signed(n) {
  return n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${whole.format(Math.abs(n))}`;
}

// A value of a feature with as many digits as it needs and no more than six.
export function value(number) {
  if (number == null) return "missing";
  if (typeof number !== "number") return String(number);
  return String(Number(number.toPrecision(6)));
}

export function moment(text) {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return String(text ?? "");
  return time.toLocaleString(undefined, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

export function duration(seconds) {
  if (seconds == null) return "–";
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(seconds)} s`;
}

export const shortHash = (hash) => (hash ? hash.slice(0, 12) : "");
