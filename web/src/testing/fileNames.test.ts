import { expect, it } from "vitest";
import { deferred } from "../../rooms.json";

const files = Object.keys(import.meta.glob(["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../words/data/*"]));

/** What a file is called, without its folder and without what says of which kind it is. */
const nameOf = (path: string): string => path.replace(/.*\//, "").replace(/\..*/, "").toLowerCase();

it("gives one name to one file, wherever it lies: a name is found at once, and means one thing", () => {
  const homes = new Map<string, string[]>();
  for (const path of files) homes.set(nameOf(path), [...(homes.get(nameOf(path)) ?? []), path]);
  expect(homes.size).toBeGreaterThan(200);
  expect([...homes.values()].filter((paths) => paths.length > 1)).toEqual([]);
});

it("defers files that are there", () => {
  const names = new Set(files.map((path) => path.replace("../", "").replace(/\..*/, "")));
  expect(deferred.filter((name) => !names.has(name))).toEqual([]);
});
