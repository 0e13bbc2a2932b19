// The check of a game's dice: everything that the host shows is worked out once more, and compared with what this page
// has shown of the game.

import { colorEntries, type ByColor } from "../net/colors";
import type { DiceNote } from "../app/storage/diceNotes";
import type { Color, DiceAnswer, DiceDraw, DiceLine } from "../generated/protocol";
import type { TableEvent } from "../game/live/events";
import { placeDraws, type GameBox } from "./drawPlaces";
import { commitmentOf, drawKeyOf, drawNumber, promiseOf } from "./digests";

export type CheckedDraw = DiceDraw & {
  /** What the key gives, below `chances`; null: nothing can come of so few chances. */
  number: number | null;
  ok: boolean;
  /** It stands where it must, for the numbers that its outcome has. */
  placed: boolean;
};

/** What is wrong with the dice, the gravest first. */
export type DiceFault =
  | { name: "key" }
  | { name: "commitment" }
  | { name: "word"; color: Color }
  | { name: "missing" }
  | { name: "promises" }
  | { name: "draw" | "place"; draw: CheckedDraw; others: number }
  | { name: "shown" };

export interface DiceVerdict {
  faults: DiceFault[];
  draws: CheckedDraw[];
  counts: Record<DiceDraw["stream"], number>;
  /** The colors whose words are in the key. */
  brought: Color[];
  /** This browser promised a word, and it was not opened in time. */
  late: boolean;
  /** The page has shown the whole game. Else it does not know how many cards the victims of thefts had. */
  whole: boolean;
}

/** Check a proof whose key is shown. `events`: what the page has shown, the whole game or its end. */
export function checkDice(
  { table, draws }: Pick<DiceAnswer, "table" | "draws">,
  dice: DiceLine & { key: string },
  note: DiceNote | null,
  events: readonly TableEvent[],
  box: GameBox,
): DiceVerdict {
  const { key, commitment, promises = {}, words = {} } = dice;
  const faults: DiceFault[] = [];
  const known = /^[0-9a-f]{64}$/.test(key);
  if (!known || commitmentOf(table, key) !== commitment) faults.push({ name: "key" });
  if (note && note.commitment !== commitment) faults.push({ name: "commitment" });
  for (const [color, word] of colorEntries(words))
    if (promises[color] !== promiseOf(table, color, word)) faults.push({ name: "word", color });
  if (note?.promises && !isSame(note.promises, promises)) faults.push({ name: "promises" });
  const { color, word, promised = false } = note ?? {};
  const own = color && word && promised ? { color, word, promise: promiseOf(table, color, word) } : null;
  if (own && promises[own.color] !== own.promise) faults.push({ name: "missing" });

  const drawKey = known ? drawKeyOf(table, key, words) : null;
  const { placed, fits, whole } = placeDraws(draws ?? [], events, box);
  const follows = (draw: DiceDraw, number: number | null): boolean =>
    number !== null && draw.first <= number && number <= draw.last;
  const checked = (draws ?? []).map((draw, i): CheckedDraw => {
    const { stream, count, chances } = draw;
    const can = drawKey && Number.isSafeInteger(count) && Number.isSafeInteger(chances) && chances > 0;
    const number = can ? drawNumber(drawKey, stream, count, chances) : null;
    const isPlaced = placed[i] ?? false;
    return { ...draw, number, placed: isPlaced, ok: isPlaced && follows(draw, number) };
  });
  for (const name of ["place", "draw"] as const) {
    const wrong = checked.filter((draw) => (name === "place" ? !draw.placed : !follows(draw, draw.number)));
    const [draw, ...others] = wrong;
    if (draw) faults.push({ name, draw, others: others.length });
  }
  if (!fits) faults.push({ name: "shown" });

  const counts = { start: 0, dice: 0, theft: 0, card: 0 };
  for (const { stream } of checked) counts[stream] += 1;
  return {
    faults,
    draws: checked,
    counts,
    brought: colorEntries(words)
      .map(([owner]) => owner)
      .sort(),
    whole,
    late: own !== null && promises[own.color] === own.promise && words[own.color] !== own.word,
  };
}

const isSame = (left: Readonly<ByColor<string>>, right: Readonly<ByColor<string>>): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  colorEntries(left).every(([color, promise]) => right[color] === promise);
