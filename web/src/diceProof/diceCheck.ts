// The check of a game's dice: everything that the host shows is worked out once more. Which numbers stand for an outcome
// is a rule, so the host says it for each draw.

import type { DiceNote } from "../app/storage/diceNotes";
import type { DiceAnswer, DiceDraw, DiceLine } from "../generated/protocol";
import { commitmentOf, drawKeyOf, drawNumber, promiseOf } from "./digests";

export type CheckedDraw = DiceDraw & {
  /** What the key gives, below `chances`; null: nothing can come of so few chances. */
  number: number | null;
  ok: boolean;
};

/** What is wrong with the dice, the gravest first. */
export type DiceProblem =
  | { name: "key" }
  | { name: "commitment" }
  | { name: "word"; color: string }
  | { name: "missing" }
  | { name: "draw"; draw: CheckedDraw; others: number }
  | { name: "shown" };

export interface DiceVerdict {
  problems: DiceProblem[];
  draws: CheckedDraw[];
  counts: Record<DiceDraw["stream"], number>;
  /** The colors whose words are in the key. */
  brought: string[];
  /** This browser promised a word, and it was not opened in time. */
  late: boolean;
}

/** A roll as a page shows it. */
export type ShownRoll = readonly [number, number];

/** The rolls among events, in order. */
export function rollsIn(events: readonly { event: string; dice?: unknown }[]): ShownRoll[] {
  return events.flatMap((one) =>
    one.event === "rolled" || one.event === "start_rolled" ? [one.dice as ShownRoll] : [],
  );
}

/** Check a proof whose key is shown. `shown`: the last rolls that the page has shown, all of them or fewer. */
export function checkDice(
  { table, draws }: Pick<DiceAnswer, "table" | "draws">,
  dice: DiceLine & { key: string },
  note: DiceNote | null,
  shown: readonly ShownRoll[],
): DiceVerdict {
  const { key, commitment, promises = {}, words = {} } = dice;
  const problems: DiceProblem[] = [];
  const known = /^[0-9a-f]{64}$/.test(key);
  if (!known || commitmentOf(table, key) !== commitment) problems.push({ name: "key" });
  if (note && note.commitment !== commitment) problems.push({ name: "commitment" });
  for (const [color, word] of Object.entries(words))
    if (promises[color] !== promiseOf(table, color, word)) problems.push({ name: "word", color });
  const { color = "", word, promised = false } = note ?? {};
  const own = word && promised ? promiseOf(table, color, word) : null;
  if (own && promises[color] !== own) problems.push({ name: "missing" });

  const drawKey = known ? drawKeyOf(table, key, words) : null;
  const checked = (draws ?? []).map((draw): CheckedDraw => {
    const number = drawKey && draw.chances > 0 ? drawNumber(drawKey, draw.stream, draw.count, draw.chances) : null;
    return { ...draw, number, ok: number !== null && draw.first <= number && number <= draw.last };
  });
  const [first, ...others] = checked.filter(({ ok }) => !ok);
  if (first) problems.push({ name: "draw", draw: first, others: others.length });

  const rolls = checked.filter(({ outcome }) => outcome.startsWith("dice ")).map(({ outcome }) => outcome);
  const seen = shown.map((dice) => `dice ${dice.join(" ")}`);
  if (seen.join() !== rolls.slice(-seen.length).join() && seen.length > 0) problems.push({ name: "shown" });

  const counts = { start: 0, dice: 0, theft: 0, card: 0 };
  for (const { stream } of checked) counts[stream] += 1;
  return {
    problems,
    draws: checked,
    counts,
    brought: Object.keys(words).sort(),
    late: own !== null && promises[color] === own && words[color] !== word,
  };
}
