import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { lookup as Lookup } from "./almanacPanel.svelte";

/** A browser's history: entries, and where one is. */
let entries: unknown[];
let at: number;
let popped: (event: { state: unknown }) => void;
let lookup: typeof Lookup;

const go = (by: number): void => {
  at += by;
  popped({ state: entries[at] });
};

beforeEach(async () => {
  [entries, at] = [[null], 0];
  vi.resetModules();
  vi.stubGlobal("history", {
    get state() {
      return entries[at];
    },
    pushState: (state: unknown) => (entries = [...entries.slice(0, ++at), state]),
    back: () => go(-1),
    go,
  });
  vi.stubGlobal("addEventListener", (_: string, call: typeof popped) => (popped = call));
  ({ lookup } = await import("./almanacPanel.svelte"));
});

afterEach(() => vi.unstubAllGlobals());

it("goes back through what was read, and then to the page", () => {
  lookup.show("/rules/robber");
  lookup.show("/rules/knight-cards");
  expect(lookup.path).toBe("/rules/knight-cards");
  lookup.back();
  expect(lookup.path).toBe("/rules/robber");
  lookup.back();
  expect(lookup.path).toBeNull();
  expect(at).toBe(0);
});

it("closes at once, however much was read", () => {
  for (const name of ["robber", "trade", "cities"]) lookup.show(`/rules/${name}`);
  lookup.close();
  expect(lookup.path).toBeNull();
  expect(at).toBe(0);
});

it("makes no step of what is open already", () => {
  lookup.show("/rules/robber");
  lookup.show("/rules/robber");
  expect(at).toBe(1);
});

it("follows the buttons of the browser", () => {
  lookup.show("/rules/robber");
  go(-1);
  expect(lookup.path).toBeNull();
  go(1);
  expect(lookup.path).toBe("/rules/robber");
});

it("is gone when another page is shown, and closes where the history has forgotten it", () => {
  lookup.show("/rules/robber");
  entries[at] = null; // replaced by the page
  lookup.close();
  expect(lookup.path).toBeNull();
  expect(at).toBe(1);
});

it("stays open when it is opened again while the history is still on its way", () => {
  let late: () => void = () => undefined;
  vi.stubGlobal("history", Object.create(history, { go: { value: (by: number) => (late = () => go(by)) } }));
  lookup.show("/rules/robber");
  lookup.close();
  lookup.show("/rules/trade");
  late();
  expect([lookup.path, at]).toEqual(["/rules/trade", 1]);
  lookup.back();
  expect([lookup.path, at]).toEqual([null, 0]);
});
