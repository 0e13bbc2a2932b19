import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { almanacPanel as AlmanacPanel } from "./almanacPanel.svelte";

/** A browser's history: entries, and where one is. */
let entries: unknown[];
let at: number;
let popped: (event: { state: unknown }) => void;
let almanacPanel: typeof AlmanacPanel;

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
  ({ almanacPanel } = await import("./almanacPanel.svelte"));
});

afterEach(() => vi.unstubAllGlobals());

it("goes back through what was read, and then to the page", () => {
  almanacPanel.show("/rules/robber");
  almanacPanel.show("/rules/knight-cards");
  expect(almanacPanel.path).toBe("/rules/knight-cards");
  almanacPanel.back();
  expect(almanacPanel.path).toBe("/rules/robber");
  almanacPanel.back();
  expect(almanacPanel.path).toBeNull();
  expect(at).toBe(0);
});

it("closes at once, however much was read", () => {
  for (const name of ["robber", "trade", "cities"]) almanacPanel.show(`/rules/${name}`);
  almanacPanel.close();
  expect(almanacPanel.path).toBeNull();
  expect(at).toBe(0);
});

it("makes no step of what is open already", () => {
  almanacPanel.show("/rules/robber");
  almanacPanel.show("/rules/robber");
  expect(at).toBe(1);
});

it("follows the buttons of the browser", () => {
  almanacPanel.show("/rules/robber");
  go(-1);
  expect(almanacPanel.path).toBeNull();
  go(1);
  expect(almanacPanel.path).toBe("/rules/robber");
});

it("is gone when another page is shown, and closes where the history has forgotten it", () => {
  almanacPanel.show("/rules/robber");
  entries[at] = null; // replaced by the page
  almanacPanel.close();
  expect(almanacPanel.path).toBeNull();
  expect(at).toBe(1);
});

it("stays open when it is opened again while the history is still on its way", () => {
  let late: () => void = () => undefined;
  vi.stubGlobal("history", Object.create(history, { go: { value: (by: number) => (late = () => go(by)) } }));
  almanacPanel.show("/rules/robber");
  almanacPanel.close();
  almanacPanel.show("/rules/trade");
  late();
  expect([almanacPanel.path, at]).toEqual(["/rules/trade", 1]);
  almanacPanel.back();
  expect([almanacPanel.path, at]).toEqual([null, 0]);
});
