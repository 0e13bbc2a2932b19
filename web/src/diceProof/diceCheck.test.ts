import { expect, it } from "vitest";
import type { DiceDraw, DiceLine } from "../generated/protocol";
import { checkDice, rollsIn } from "./diceCheck";
import { commitmentOf, drawKeyOf, drawNumber, promiseOf } from "./digests";

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

const dice: DiceLine & { key: string } = { commitment: COMMITMENT, promises: PROMISES, words: WORDS, key: KEY };
const OUTCOMES = ["dice 4 1", "dice 6 2", "dice 6 6", "stolen ore", "drawn victory-point"];
const draws: DiceDraw[] = PLACES.map(([stream, count, chances, number], i) => ({
  step: i,
  turn: i,
  player: "red",
  outcome: OUTCOMES[i] ?? "",
  stream,
  count,
  chances,
  first: number - (stream === "card" ? 2 : 0),
  last: number,
}));
const answer = { table: TABLE, draws };
const note = { commitment: COMMITMENT, color: "red", word: WORDS.red, promised: true };
const hex = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
const wrong = (...given: Parameters<typeof checkDice>): string[] =>
  checkDice(...given).problems.map(({ name }) => name);

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

it("finds nothing wrong where all follows from the key", () => {
  const verdict = checkDice(answer, dice, note, [
    [4, 1],
    [6, 2],
    [6, 6],
  ]);
  expect(verdict.problems).toEqual([]);
  expect(verdict.counts).toEqual({ start: 1, dice: 2, theft: 1, card: 1 });
  expect([verdict.brought, verdict.late]).toEqual([["blue", "red"], false]);
  expect(verdict.draws.map(({ number }) => number)).toEqual([18, 31, 35, 5, 16]);
});

it("finds another key than was promised", () => {
  expect(wrong(answer, { ...dice, key: KEY.replace("1f", "20") }, note, [])[0]).toBe("key");
  expect(wrong(answer, { ...dice, key: "no key" }, note, [])).toEqual(["key", "draw"]);
});

it("finds another promise than this browser noted", () => {
  expect(wrong(answer, dice, { commitment: "0".repeat(64) }, [])).toEqual(["commitment"]);
  expect(wrong(answer, dice, null, [])).toEqual([]);
});

it("finds a word that was not promised, and an own one that is missing or late", () => {
  const words = { ...WORDS, blue: "another-word-of-blues" };
  expect(wrong(answer, { ...dice, words }, note, []).slice(0, 1)).toEqual(["word"]);
  const { red: _, ...others } = PROMISES;
  expect(wrong(answer, { ...dice, promises: others }, note, [])).toContain("missing");
  const late = checkDice({ ...answer, draws: [] }, { ...dice, words: { blue: WORDS.blue } }, note, []);
  expect([late.problems, late.late]).toEqual([[], true]);
  const refused = { ...note, promised: false };
  expect(wrong({ ...answer, draws: [] }, { ...dice, promises: {}, words: {} }, refused, [])).toEqual([]);
});

it("names the first outcome that does not follow", () => {
  const forged = draws.map((draw) => (draw.step === 2 ? { ...draw, first: 3, last: 3 } : draw));
  const none = draws.map((draw) => (draw.step >= 3 ? { ...draw, chances: 0 } : draw));
  const [found, ...rest] = checkDice({ ...answer, draws: forged }, dice, note, []).problems;
  expect(found).toMatchObject({ name: "draw", draw: { step: 2, number: 35, ok: false }, others: 0 });
  expect(rest).toEqual([]);
  expect(checkDice({ ...answer, draws: none }, dice, note, []).problems[0]).toMatchObject({
    name: "draw",
    draw: { step: 3, number: null },
    others: 1,
  });
});

it("compares the rolls with those that the page has shown", () => {
  expect(wrong(answer, dice, note, [[6, 6]])).toEqual([]);
  expect(wrong(answer, dice, note, [[6, 5]])).toEqual(["shown"]);
  expect(
    wrong(answer, dice, note, [
      [1, 1],
      [4, 1],
      [6, 2],
      [6, 6],
    ]),
  ).toEqual(["shown"]);
  const events = [
    { event: "start_rolled", player: "red", dice: [4, 1], total: 5 },
    { event: "turn_ended", player: "red" },
    { event: "rolled", player: "red", dice: [6, 2], total: 8 },
  ] as const;
  expect(rollsIn(events)).toEqual([
    [4, 1],
    [6, 2],
  ]);
});
