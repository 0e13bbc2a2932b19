import { expect, it } from "vitest";
import sheet from "../styles/app.css?raw";
import { HATCHES, SOURCES } from "./patterns";
import { GAINED, LOST } from "./summary";

const css = sheet.toLowerCase();

it("gives every source of cards a colour of its own, and none that means a kind of card or a player", () => {
  expect(css).toContain("--brick: ");
  const colors = Object.values(SOURCES);
  expect(new Set(colors).size).toBe(colors.length);
  expect(colors.filter((color) => css.includes(color))).toEqual([]);
  expect([...GAINED, ...LOST].filter((key) => !SOURCES[key])).toEqual([]);
});

it("keeps the parts of a chart apart by ink too", () => {
  const order = Object.keys(SOURCES);
  for (const keys of [GAINED, LOST]) {
    const inks = keys.map((key) => order.indexOf(key) % HATCHES.length);
    expect(new Set(inks).size).toBe(keys.length);
  }
});
