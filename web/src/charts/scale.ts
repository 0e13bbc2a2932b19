// The arithmetic of charts: numbers to pixels, round marks for an axis, parts on top of each other, labels that do not
// overlap, lines as paths. Nothing here knows a page.

export type Span = readonly [number, number];
export type Scale = (value: number) => number;

/** Numbers of one span as numbers of another; a span without width lies in the middle. */
export function linearScale([a, b]: Span, [from, to]: Span): Scale {
  if (a === b) return () => (from + to) / 2;
  return (value) => from + ((value - a) / (b - a)) * (to - from);
}

/** Round whole numbers from `low` to `high`, at most `most` of them, 1, 2, 5, 10, ... apart. */
export function axisTicks([low, high]: Span, most: number): number[] {
  const apart = roundUp((high - low) / Math.max(1, most - 1));
  const ticks: number[] = [];
  for (let at = Math.ceil(low / apart) * apart; at <= high; at += apart) ticks.push(at === 0 ? 0 : at);
  return ticks;
}

/** The next of 1, 2, 5, 10, 20, ... that is not less. */
function roundUp(least: number): number {
  for (let ten = 1; ; ten *= 10) {
    const step = [1, 2, 5].find((digit) => digit * ten >= least);
    if (step !== undefined) return step * ten;
  }
}

/** Where each part begins and ends when they lie one after the other. */
export function stackSpans(values: readonly number[]): Span[] {
  let sum = 0;
  return values.map((value) => [sum, (sum += value)]);
}

/** Labels as near as possible to where they belong, `least` apart (less if there are too many) from `low` to `high`. */
export function spreadLabels(wanted: readonly number[], least: number, [low, high]: Span): number[] {
  const gap = Math.min(least, (high - low) / Math.max(1, wanted.length - 1));
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const room = high - low - gap * (wanted.length - 1);
  // Less the gaps below it, every label may lie anywhere in the room that is left, in order: neighbors that want to
  // pass each other meet at their mean.
  const groups: { mean: number; members: number[] }[] = [];
  order.forEach((index, place) => {
    let group = { mean: (wanted[index] ?? 0) - low - gap * place, members: [index] };
    for (let last = groups.at(-1); last && last.mean > group.mean; last = groups.at(-1)) {
      const [n, m] = [last.members.length, group.members.length];
      group = { mean: (last.mean * n + group.mean * m) / (n + m), members: [...last.members, ...group.members] };
      groups.pop();
    }
    groups.push(group);
  });
  const placed: number[] = [...wanted];
  let place = 0;
  for (const { mean, members } of groups) {
    for (const index of members) placed[index] = low + Math.min(room, Math.max(0, mean)) + gap * place++;
  }
  return placed;
}

/** Values as a line of stairs: each holds until the next. `x` and `y` turn places and values into pixels. */
export function stairsPath(values: readonly number[], x: Scale, y: Scale): string {
  let path = "";
  values.forEach((value, i) => {
    if (i === 0) path = `M${tenth(x(0))} ${tenth(y(value))}`;
    else if (value !== values[i - 1]) path += `H${tenth(x(i))}V${tenth(y(value))}`;
  });
  return values.length ? `${path}H${tenth(x(values.length - 1))}` : "";
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A text as long as fits into so many pixels, at about `letter` pixels for a letter. */
export function fitText(text: string, room: number, letter = 7): string {
  const most = Math.max(1, Math.floor(room / letter));
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** So far above and below their place lie lines that would cover each other: `step` apart, around 0. */
export function offsetOf(index: number, count: number, step: number): number {
  return (index - (count - 1) / 2) * step;
}
