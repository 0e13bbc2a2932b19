import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropSeatToken, storeSeatToken, takeTokenFromAddress, readSeatToken } from "./seatTokens";

let kept: Map<string, string>;
const address = { pathname: "/t/x", search: "?a=1", hash: "" };
const replaced = vi.fn();

beforeEach(() => {
  kept = new Map();
  replaced.mockClear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  vi.stubGlobal("location", address);
  vi.stubGlobal("history", { replaceState: replaced });
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

it("takes a token out of the address, and keeps it nowhere: nobody knows yet whether it opens anything", () => {
  storeSeatToken("x", "good");
  address.hash = "#seat=strange";
  expect(takeTokenFromAddress()).toBe("strange");
  expect(replaced).toHaveBeenCalledWith(null, "", "/t/x?a=1");
  expect(readSeatToken("x")).toBe("good");
});

it("leaves an address without a token alone", () => {
  address.hash = "#log";
  expect(takeTokenFromAddress()).toBeNull();
  expect(replaced).not.toHaveBeenCalled();
});

it("begins anew where something else was written down", () => {
  kept.set("hexholm.seats", "no book");
  expect(readSeatToken("x")).toBeNull();
});
