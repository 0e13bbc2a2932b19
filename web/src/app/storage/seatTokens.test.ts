import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropSeatToken, readSeatToken, storeSeatToken } from "./seatTokens";

let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

it("keeps a token for each table, the last one it was given, until it is dropped", () => {
  expect(readSeatToken("x")).toBeNull();
  storeSeatToken("x", "one");
  storeSeatToken("y", "other");
  storeSeatToken("x", "two");
  expect([readSeatToken("x"), readSeatToken("y")]).toEqual(["two", "other"]);
  dropSeatToken("x");
  expect([readSeatToken("x"), readSeatToken("y")]).toEqual([null, "other"]);
});

it("keeps the seats that were taken last", () => {
  for (let i = 0; i < 250; i += 1) storeSeatToken(`t${i}`, "token");
  expect([readSeatToken("t49"), readSeatToken("t50"), readSeatToken("t249")]).toEqual([null, "token", "token"]);
});

it("begins anew where something else was written down", () => {
  kept.set("hexholm.seats", "no book");
  expect(readSeatToken("x")).toBeNull();
});
