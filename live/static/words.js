/** Numbers as people read them. */

const COUNT = new Intl.NumberFormat("en");
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];
const SPANS = [[86_400, "d"], [3_600, "h"], [60, "min"], [1, "s"]];

export const count = (number) => COUNT.format(number);

export const rate = (number) => number.toFixed(1);

export function bytes(number) {
  const power = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(number, 1)) / 3)), UNITS.length - 1);
  const value = number / 1000 ** power;
  return `${value < 10 && power ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

/** Of seconds, the two largest units. */
export function span(seconds) {
  const at = SPANS.findIndex(([size]) => seconds >= size);
  if (at < 0) return "0 s";
  const [[size, unit], next] = [SPANS[at], SPANS[at + 1]];
  const rest = next ? Math.floor((seconds % size) / next[0]) : 0;
  return `${Math.floor(seconds / size)} ${unit}${rest ? ` ${rest} ${next[1]}` : ""}`;
}

/** The estimate of the end; null before there is one. */
export function ending(end) {
  if (!end) return "no estimate yet";
  const by = end.by ? `, by ${end.by}` : "";
  if (end.seconds === null) return `no end in sight at this pace${end.earliest === null ? "" : `; ${span(end.earliest)} at the earliest`}`;
  const latest = end.latest === null ? "or later" : `to ${span(end.latest)}`;
  return `ends in ${span(end.seconds)} (95 %: ${span(end.earliest ?? end.seconds)} ${latest})${by}`;
}
