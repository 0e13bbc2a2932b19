import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetPerson, takeRecoveryFromAddress } from "./personal";
import { readSeatToken, storeSeatToken } from "./seatTokens";
import { keptSettings } from "./settings.svelte";

let kept: Map<string, string>;
const address = { pathname: "/me", search: "", hash: "" };
const replaced = vi.fn();

beforeEach(() => {
  kept = new Map();
  replaced.mockClear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("location", address);
  vi.stubGlobal("history", { replaceState: replaced });
});

afterEach(() => vi.unstubAllGlobals());

it("takes a recovery text out of the address and keeps it nowhere", () => {
  address.hash = "#recover=7Q2M-0000";
  expect(takeRecoveryFromAddress()).toBe("7Q2M-0000");
  expect(replaced).toHaveBeenCalledWith(null, "", "/me");
  expect([...kept]).toEqual([]);
  address.hash = "#kept";
  expect(takeRecoveryFromAddress()).toBeNull();
  expect(replaced).toHaveBeenCalledTimes(1);
});

it("forgets who somebody is, and not how the page is set up", () => {
  kept.set("hexholm.settings", JSON.stringify({ name: "Ann", theme: "dark" }));
  kept.set("hexholm.language", JSON.stringify({ code: "de" }));
  kept.set("hexholm.lasttable", JSON.stringify({ wish: { name: "Ann" } }));
  kept.set("hexholm.tutorial", JSON.stringify({ table: "x" }));
  storeSeatToken("x", "token");
  const settings = keptSettings();
  forgetPerson(settings);
  expect(readSeatToken("x")).toBeNull();
  expect([...kept.keys()].sort()).toEqual(["hexholm.language", "hexholm.settings"]);
  expect(keptSettings()).toMatchObject({ name: "", theme: "dark" });
});
