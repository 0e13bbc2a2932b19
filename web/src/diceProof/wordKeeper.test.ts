import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readDiceNote } from "../app/storage/diceNotes";
import type { DiceLine } from "../generated/protocol";
import type { CommandBody } from "../net/connection";
import { promiseOf } from "./digests";
import { WordKeeper, type WordTable } from "./wordKeeper";

const COMMITMENT = "c".repeat(64);
let kept: Map<string, string>;
let sent: CommandBody[];
let refused: boolean;
let table: { -readonly [Name in keyof WordTable]: WordTable[Name] };

beforeEach(() => {
  kept = new Map();
  sent = [];
  refused = false;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  table = {
    id: "x",
    ownColor: "red",
    dice: { commitment: COMMITMENT },
    info: { status: "open" },
    sendQuietly: (body) => {
      sent.push(body);
      return Promise.resolve(!refused);
    },
  };
});

afterEach(() => vi.unstubAllGlobals());

const say = (more: Partial<DiceLine>): void => void (table.dice = { commitment: COMMITMENT, ...more });
const promised = (): string => {
  const last = sent.findLast((body) => body.type === "promise_word");
  return last?.type === "promise_word" ? last.promise : "";
};
const wordOf = (): string => readDiceNote("x")?.word ?? "";

it("promises a word of its own, once, and opens it when it is asked to", async () => {
  const keeper = new WordKeeper(table);
  await Promise.all([keeper.tend(), keeper.tend()]);
  await keeper.tend();
  expect(sent.length).toBe(1);
  expect(wordOf()).toMatch(/^[0-9a-f]{32}$/);
  expect(promised()).toBe(promiseOf("x", "red", wordOf()));
  say({ promises: { red: promised() } });
  await keeper.tend();
  say({ promises: { red: promised() }, opening: true });
  await keeper.tend();
  expect(sent.slice(1)).toEqual([{ type: "open_word", word: wordOf() }]);
  say({ promises: { red: promised() }, words: { red: wordOf() }, opening: true });
  await keeper.tend();
  expect(sent.length).toBe(2);
});

it("notes the promises of all before it opens its word, and none that come later", async () => {
  await new WordKeeper(table).tend();
  const promises = { red: promised(), blue: "1".repeat(64) };
  say({ promises, opening: true });
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")?.promises).toEqual(promises);
  say({ promises: { ...promises, white: "2".repeat(64) }, opening: true });
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")?.promises).toEqual(promises);
});

it("opens it also after the page was loaded again, and promises no second one", async () => {
  await new WordKeeper(table).tend();
  say({ promises: { red: promised() } });
  await new WordKeeper(table).tend();
  expect(sent.length).toBe(1);
  say({ promises: { red: promised() }, opening: true });
  await new WordKeeper(table).tend();
  expect(sent.at(-1)).toEqual({ type: "open_word", word: wordOf() });
});

it("knows that the host has taken a promise whose answer was lost", async () => {
  refused = true;
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")?.promised).toBeUndefined();
  say({ promises: { red: promised() } });
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")?.promised).toBe(true);
});

it("leaves the word of another browser on the same seat alone, and does not open its own for it", async () => {
  say({ promises: { red: "0".repeat(64) } });
  await new WordKeeper(table).tend();
  say({ promises: { red: "0".repeat(64) }, opening: true });
  await new WordKeeper(table).tend();
  expect(sent).toEqual([]);
});

it("brings a new word where the seats have changed while words were open", async () => {
  const keeper = new WordKeeper(table);
  await keeper.tend();
  const first = promised();
  say({ promises: { red: first } });
  await keeper.tend();
  say({});
  await keeper.tend();
  expect(promised()).not.toBe(first);
  say({});
  await new WordKeeper(table).tend(); // and after the page was loaded again
  expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(3);
});

it("brings another word to another seat", async () => {
  const keeper = new WordKeeper(table);
  await keeper.tend();
  table.ownColor = "blue";
  await keeper.tend();
  expect(promised()).toBe(promiseOf("x", "blue", wordOf()));
  expect(readDiceNote("x")?.color).toBe("blue");
});

it("notes what the host promised first, and brings nothing for who watches or where there is no proof", async () => {
  table.ownColor = null;
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")).toEqual({ commitment: COMMITMENT });
  say({ commitment: "d".repeat(64) });
  await new WordKeeper(table).tend();
  expect(readDiceNote("x")).toEqual({ commitment: COMMITMENT });
  table.ownColor = "red";
  table.dice = null;
  await new WordKeeper(table).tend();
  say({});
  table.info = { status: "playing" };
  await new WordKeeper(table).tend();
  expect(sent).toEqual([]);
});
