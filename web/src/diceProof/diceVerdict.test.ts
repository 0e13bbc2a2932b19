import { expect, it } from "vitest";
import type { DiceDraw, DiceLine } from "../generated/protocol";
import type { DiceNote } from "../app/storage/diceNotes";
import type { TableEvent } from "../game/live/events";
import { withoutRepeats } from "../game/live/logLines";
import games from "../testing/checkedGames.json";
import { checkDice, type DiceVerdict } from "./diceVerdict";
import { commitmentOf, drawKeyOf, drawNumber, promiseOf } from "./digests";
import type { GameBox } from "./drawPlaces";

// The same numbers stand in tests/game/records/test_verify_dice.py.
const TABLE = "k3m9q2x7ab";
const KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT = "5f5b1d3b7a9e51baac8f2f0593e288804dd197ef1b3e9ae41dc4ef7e8f9c70b7";
const WORDS = { red: "a-word-of-reds-own", blue: "0123456789abcdef" };
const PROMISES = {
  blue: "8c808f4366aedb84becb36c32ac11485777d008ee0a912fb7f8e7bfbaf607dbd",
  red: "8c78ea9f74fa2ea19d798662fc066593f4928f7c1af19c18bb83823cf733a172",
};
const DRAW_KEY = "318244e44797cca80c855c79e146a8d416d8bc4e3b958cb9904041101c939587";
const PLACES = [
  ["start", 0, 36, 18],
  ["dice", 1, 36, 31],
  ["dice", 2, 36, 35],
  ["theft", 3, 7, 5],
  ["card", 25, 25, 16],
] as const;
const hex = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

// Whole games with their proofs: tests/game/records/checked_games.py.
interface CheckedGame {
  table: string;
  dice: DiceLine & { key: string };
  box: GameBox;
  draws: DiceDraw[];
  events: { public: TableEvent[]; red: TableEvent[] };
}
const { plain, balanced } = games as unknown as Record<"plain" | "balanced", CheckedGame>;
const whole = plain.events.public;

/** Check a game of which the host tells something else. */
function check(game: CheckedGame, change: Partial<CheckedGame> = {}, note: DiceNote | null = null): DiceVerdict {
  const { table, draws, dice, box, events } = { ...game, ...change };
  return checkDice({ table, draws }, dice, note, events.public, box);
}
const wrong = (...given: Parameters<typeof check>): string[] => check(...given).faults.map(({ name }) => name);
const shown = (events: TableEvent[]): Pick<CheckedGame, "events"> => ({ events: { public: events, red: [] } });

const first = (game: CheckedGame, stream: DiceDraw["stream"], nth = 0): number => {
  const found = game.draws.flatMap((draw, i) => (draw.stream === stream ? [i] : []))[nth];
  if (found === undefined) throw new Error(`no ${stream}`);
  return found;
};
const drawAt = (game: CheckedGame, at: number): DiceDraw => {
  const draw = game.draws[at];
  if (!draw) throw new Error(`no draw ${at}`);
  return draw;
};
/** A host that tells other things of one draw. */
const forged = (game: CheckedGame, at: number, more: Partial<DiceDraw>): Pick<CheckedGame, "draws"> => ({
  draws: game.draws.map((draw, i) => (i === at ? { ...draw, ...more } : draw)),
});
/** The events as they are if the roll of `turn` came out otherwise. */
const rolledInstead = (events: TableEvent[], turn: number, dice: [number, number]): TableEvent[] => {
  let now = 0;
  return events.map((event) => {
    if (event.event === "turn_began") now = event.number;
    return event.event === "rolled" && now === turn ? { ...event, dice } : event;
  });
};

it("digests as the host does", () => {
  expect(commitmentOf(TABLE, KEY)).toBe(COMMITMENT);
  expect(promiseOf(TABLE, "red", WORDS.red)).toBe(PROMISES.red);
  expect(hex(drawKeyOf(TABLE, KEY, WORDS))).toBe(DRAW_KEY);
  expect(hex(drawKeyOf(TABLE, KEY, {}))).toBe("0b10eb96928f253c777fc1522e8fc8d5c632823b85b35292d209f7970ad425a7");
  const key = drawKeyOf(TABLE, KEY, WORDS);
  expect(PLACES.map(([stream, count, chances]) => drawNumber(key, stream, count, chances))).toEqual(
    PLACES.map(([, , , number]) => number),
  );
});

it("finds nothing wrong where all follows from the key, through any eyes, in the replay and in the log", () => {
  for (const game of [plain, balanced]) {
    for (const events of [game.events.public, game.events.red]) {
      const verdict = check(game, shown(events));
      expect([verdict.faults, verdict.whole]).toEqual([[], true]);
      expect(Object.values(verdict.counts).reduce((a, b) => a + b)).toBe(game.draws.length);
      const ends = events.flatMap((one, i) => (one.event === "turn_ended" ? [i + 1] : []));
      const turns = [0, ...ends].map((from, i) => events.slice(from, ends[i]));
      const bought = (turn: TableEvent[]): number => turn.filter((one) => one.event === "bought").length;
      const log = turns.flatMap((turn) => (bought(turn) === 1 ? withoutRepeats(turn as never) : turn));
      expect(log.length).toBeLessThan(events.length);
      expect(check(game, shown(log)).faults).toEqual([]);
    }
  }
});

it("finds nothing wrong where the page has shown only the end, and says that it did", () => {
  for (const events of [whole.slice(whole.length >> 1), []]) {
    const verdict = check(plain, shown(events));
    expect([verdict.faults, verdict.whole]).toEqual([[], false]);
  }
});

it("finds another key than was promised", () => {
  const { dice } = plain;
  expect(wrong(plain, { dice: { ...dice, key: "0".repeat(64) } })[0]).toBe("key");
  expect(wrong(plain, { dice: { ...dice, key: "no key" } })).toEqual(["key", "draw"]);
});

it("finds another promise than this browser noted", () => {
  expect(wrong(plain, {}, { commitment: "0".repeat(64) })).toEqual(["commitment"]);
  expect(wrong(plain)).toEqual([]);
});

it("finds a word that was not promised, and an own one that is missing or late", () => {
  const { dice } = plain;
  const { red = "", blue = "" } = dice.words ?? {};
  const note: DiceNote = { commitment: dice.commitment, color: "red", word: red, promised: true };
  expect(wrong(plain, {}, note)).toEqual([]);
  expect(wrong(plain, { dice: { ...dice, words: { red, blue: "another-word-of-blues" } } }, note)[0]).toBe("word");
  const { red: _, ...others } = dice.promises ?? {};
  expect(wrong(plain, { dice: { ...dice, promises: others } }, note)).toContain("missing");
  const none = { draws: [], ...shown([]) };
  const late = check(plain, { dice: { ...dice, words: { blue } }, ...none }, note);
  expect([late.faults, late.late]).toEqual([[], true]);
  const refused = { ...note, promised: false };
  expect(wrong(plain, { dice: { ...dice, promises: {}, words: {} }, ...none }, refused)).toEqual([]);
});

it("finds a promise that was added or changed after the own word was opened", () => {
  const { dice } = plain;
  const { blue: _, ...red } = dice.promises ?? {};
  const note: DiceNote = { commitment: dice.commitment, promises: red };
  expect(wrong(plain, {}, note)).toEqual(["promises"]);
  expect(wrong(plain, {}, { ...note, promises: { ...dice.promises, blue: "0".repeat(64) } })).toEqual(["promises"]);
  expect(wrong(plain, {}, { ...note, promises: dice.promises ?? {} })).toEqual([]);
});

it("finds a roll that was chosen and given a count whose number is the one for it", () => {
  const at = first(plain, "dice", 3);
  const key = drawKeyOf(plain.table, plain.dice.key, plain.dice.words ?? {});
  let count = 1000;
  while (drawNumber(key, "dice", count, 36) !== 35) count += 1;
  const events = shown(rolledInstead(whole, drawAt(plain, at).turn, [6, 6]));
  const forgery = { ...forged(plain, at, { outcome: "dice 6 6", count, first: 35, last: 35 }), ...events };
  const [fault, ...more] = check(plain, forgery).faults;
  expect(fault).toMatchObject({ name: "place", draw: { step: drawAt(plain, at).step, number: 35 }, others: 0 });
  expect(more).toEqual([]);
  const end = shown(events.events.public.slice(-20)); // it needs none of the events for that
  expect(wrong(plain, { ...forgery, ...end })).toEqual(["place"]);
});

it("finds a roll that was given the chances, or the numbers, that suit it", () => {
  const at = first(plain, "dice", 3);
  const { turn, first: number } = drawAt(plain, at);
  const events = shown(rolledInstead(whole, turn, [6, 6]));
  const key = drawKeyOf(plain.table, plain.dice.key, plain.dice.words ?? {});
  const as = (more: Partial<DiceDraw>): string[] =>
    wrong(plain, { ...forged(plain, at, { outcome: "dice 6 6", ...more }), ...events });
  let chances = 37;
  while (drawNumber(key, "dice", turn, chances) !== 35) chances += 1;
  expect(as({ chances, first: 35, last: 35 })).toEqual(["place"]);
  expect(as({ first: number, last: number })).toEqual(["place"]); // a number that stands for another pair
  expect(as({ first: 0, last: 35 })).toEqual(["place"]);
  expect(as({ first: 35, last: 35 })).toEqual(["draw"]);
  for (const none of [0, 1.5, NaN, "36" as never]) expect(as({ chances: none })).toEqual(["place", "draw"]);
});

it("finds numbers of cards that overlap, or a deck other than the one in the box", () => {
  const at = first(plain, "card", 1);
  const { first: from, last, chances } = drawAt(plain, at);
  for (const more of [{ first: from - 1 }, { last: last + 1 }, { first: 0, last: chances - 1 }])
    expect(wrong(plain, forged(plain, at, more))).toContain("place");
  const other = drawAt(plain, at).outcome === "drawn knight" ? "drawn monopoly" : "drawn knight";
  expect(wrong(plain, forged(plain, at, { outcome: other }))).toContain("place");
  expect(wrong(plain, forged(plain, at, { count: chances + 1, chances: chances + 1 }))).toContain("place");
  expect(wrong(plain, { box: { ...plain.box, deck: { ...plain.box.deck, knight: 20 } } })).toEqual(["place"]);
});

it("finds a theft with another count, or with other cards than the victim held", () => {
  const at = first(plain, "theft", 2);
  const { count, chances, first: from, last } = drawAt(plain, at);
  expect(wrong(plain, forged(plain, at, { count: count + 1 }))).toContain("place");
  expect(wrong(plain, forged(plain, at, { chances: chances + 1 }))).toContain("place");
  expect(wrong(plain, forged(plain, at, { first: 0, last: chances - 1 }))).toEqual(
    from === 0 && last === chances - 1 ? [] : ["place"],
  );
});

it("finds a draw that is left out, and one that is there twice", () => {
  for (const stream of ["start", "dice", "theft", "card"] as const) {
    const at = first(plain, stream, 1);
    const skipped = { draws: plain.draws.filter((_, i) => i !== at) };
    const doubled = { draws: plain.draws.flatMap((draw, i) => (i === at ? [draw, draw] : [draw])) };
    for (const change of [skipped, doubled])
      expect(wrong(plain, change)).toEqual(expect.arrayContaining(["place", "shown"]));
  }
  for (const change of [plain.draws.slice(0, -1), [...plain.draws, drawAt(plain, plain.draws.length - 1)]])
    expect(wrong(plain, { draws: change })).toContain("shown");
});

it("follows the bag of balanced dice", () => {
  const at = first(balanced, "dice", 1);
  expect(drawAt(balanced, at).chances).toBe(35);
  expect(wrong(balanced, forged(balanced, at, { chances: 36 }))).toContain("place");
  const { outcome } = drawAt(balanced, first(balanced, "dice"));
  const { turn } = drawAt(balanced, at);
  const dice = outcome.split(" ").slice(1).map(Number) as [number, number];
  const events = shown(rolledInstead(balanced.events.public, turn, dice)); // that pair is out of the bag
  expect(wrong(balanced, { ...forged(balanced, at, { outcome }), ...events })).toContain("place");
  expect(wrong(balanced, { box: { ...balanced.box, balanced: false } })).toEqual(["place"]);
});

it("names the first outcome that does not follow, and says how many more", () => {
  const dice = { ...plain.dice, words: {} };
  const none = { draws: plain.draws.map((draw) => ({ ...draw, chances: 0 })) };
  const found = check(plain, { dice }).faults.find(({ name }) => name === "draw");
  expect(found).toMatchObject({ name: "draw" });
  expect(check(plain, none).faults[0]).toMatchObject({
    name: "place",
    draw: { step: drawAt(plain, 0).step, number: null, ok: false },
    others: plain.draws.length - 1,
  });
});

it("compares the draws with what the page has shown", () => {
  const turn = drawAt(plain, first(plain, "dice", 3)).turn;
  expect(wrong(plain, shown(rolledInstead(whole, turn, [1, 1])))).toEqual(["shown"]);
  expect(wrong(plain, shown(whole.slice(whole.findIndex((one) => one.event === "rolled"))))).toEqual([]);
  const own = plain.events.red.map((one) =>
    one.event === "stole" && one.card
      ? { ...one, card: one.card === "ore" ? ("wool" as const) : ("ore" as const) }
      : one,
  );
  expect(wrong(plain, shown(own))).toEqual(["shown"]); // what was stolen from oneself, or by oneself, is known
  const late = shown(whole.map((one) => (one.event === "turn_began" ? { ...one, number: one.number + 1 } : one)));
  expect(wrong(plain, late)).toEqual(["place"]);
  const drawn = plain.events.red.map((one) =>
    one.event === "drew" && one.card
      ? { ...one, card: one.card === "knight" ? ("monopoly" as const) : ("knight" as const) }
      : one,
  );
  expect(wrong(plain, shown(drawn))).toEqual(["shown"]);
});
