import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropToken, keepToken, tokenFromAddress, tokenOf } from "./seatTokens";

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
  expect(tokenOf("x")).toBeNull();
  keepToken("x", "one");
  keepToken("y", "other");
  keepToken("x", "two");
  expect([tokenOf("x"), tokenOf("y")]).toEqual(["two", "other"]);
  dropToken("x");
  expect([tokenOf("x"), tokenOf("y")]).toEqual([null, "other"]);
});

it("keeps the seats that were taken last", () => {
  for (let i = 0; i < 250; i += 1) keepToken(`t${i}`, "token");
  expect([tokenOf("t49"), tokenOf("t50"), tokenOf("t249")]).toEqual([null, "token", "token"]);
});

it("takes a token out of the address, and keeps it nowhere: nobody knows yet whether it opens anything", () => {
  keepToken("x", "good");
  address.hash = "#seat=strange";
  expect(tokenFromAddress()).toBe("strange");
  expect(replaced).toHaveBeenCalledWith(null, "", "/t/x?a=1");
  expect(tokenOf("x")).toBe("good");
});

it("leaves an address without a token alone", () => {
  address.hash = "#log";
  expect(tokenFromAddress()).toBeNull();
  expect(replaced).not.toHaveBeenCalled();
});

it("begins anew where something else was written down", () => {
  kept.set("hexholm.seats", "no book");
  expect(tokenOf("x")).toBeNull();
});
