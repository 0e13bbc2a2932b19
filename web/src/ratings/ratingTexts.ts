// Ratings as text.

/** By how much something changed: +12, −3 with a real minus sign, ±0. */
export function signed(change: number): string {
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `−${-change}`;
}

/** The points of a line through values, in a picture of 100 by 30; the first is the oldest. */
export function linePoints(values: readonly number[]): string {
  const low = Math.min(...values);
  const height = Math.max(1, Math.max(...values) - low);
  const step = 100 / Math.max(1, values.length - 1);
  return values.map((value, i) => `${round(i * step)},${round(28 - (26 * (value - low)) / height)}`).join(" ");
}

const round = (value: number): number => Math.round(value * 10) / 10;
