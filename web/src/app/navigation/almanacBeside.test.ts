import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AlmanacBeside } from "./almanacBeside.svelte";

/** A browser's history: entries, and where one is. */
let entries: unknown[];
let at: number;
let almanacBeside: AlmanacBeside;

const go = (by: number): void => {
  at += by;
  almanacBeside.follow({ state: entries[at] });
};

beforeEach(() => {
  [entries, at] = [[null], 0];
  vi.stubGlobal("history", {
    get state() {
      return entries[at];
    },
    pushState: (state: unknown) => (entries = [...entries.slice(0, ++at), state]),
    back: () => go(-1),
    go,
  });
  almanacBeside = new AlmanacBeside();
});

afterEach(() => vi.unstubAllGlobals());

it("goes back through what was read, and then to the page", () => {
  almanacBeside.show("/rules/robber");
  almanacBeside.show("/rules/knight-cards");
  expect(almanacBeside.path).toBe("/rules/knight-cards");
  almanacBeside.back();
  expect(almanacBeside.path).toBe("/rules/robber");
  almanacBeside.back();
  expect(almanacBeside.path).toBeNull();
  expect(at).toBe(0);
});

it("closes at once, however much was read", () => {
  for (const name of ["robber", "trade", "cities"]) almanacBeside.show(`/rules/${name}`);
  almanacBeside.close();
  expect(almanacBeside.path).toBeNull();
  expect(at).toBe(0);
});

it("makes no step of what is open already", () => {
  almanacBeside.show("/rules/robber");
  almanacBeside.show("/rules/robber");
  expect(at).toBe(1);
});

it("follows the buttons of the browser", () => {
  almanacBeside.show("/rules/robber");
  go(-1);
  expect(almanacBeside.path).toBeNull();
  go(1);
  expect(almanacBeside.path).toBe("/rules/robber");
});

it("is gone when another page is shown, and closes where the history has forgotten it", () => {
  almanacBeside.show("/rules/robber");
  entries[at] = null; // replaced by the page
  almanacBeside.close();
  expect(almanacBeside.path).toBeNull();
  expect(at).toBe(1);
});

it("stays open when it is opened again while the history is still on its way", () => {
  let late: () => void = () => undefined;
  vi.stubGlobal("history", Object.create(history, { go: { value: (by: number) => (late = () => go(by)) } }));
  almanacBeside.show("/rules/robber");
  almanacBeside.close();
  almanacBeside.show("/rules/trade");
  late();
  expect([almanacBeside.path, at]).toEqual(["/rules/trade", 1]);
  almanacBeside.back();
  expect([almanacBeside.path, at]).toEqual([null, 0]);
});
