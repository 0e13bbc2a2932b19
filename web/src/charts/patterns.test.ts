import { expect, it } from "vitest";
import tokens from "../styles/tokens.css?raw";
import { HATCHES, SOURCES } from "./patterns";
import { GAINED, LOST } from "../generated/names";

const values = new Map([...tokens.matchAll(/^ {2}(--[\w-]+): (#\w+);/gm)].map(([, name = "", value]) => [name, value]));

it("gives every source of cards a color of its own, and none that means a kind of card or a player", () => {
  const colors = Object.values(SOURCES).map((color) => values.get(/^var\((.+)\)$/.exec(color)?.[1] ?? ""));
  expect(colors).not.toContain(undefined);
  const all = [...values.values()];
  expect(colors.filter((color) => all.indexOf(color) !== all.lastIndexOf(color))).toEqual([]);
  expect([...GAINED, ...LOST].filter((key) => !SOURCES[key])).toEqual([]);
});

it("keeps the parts of a chart apart by ink too", () => {
  const order = Object.keys(SOURCES);
  for (const keys of [GAINED, LOST]) {
    const inks = keys.map((key) => order.indexOf(key) % HATCHES.length);
    expect(new Set(inks).size).toBe(keys.length);
  }
});
