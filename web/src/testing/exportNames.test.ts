import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../words/data/*"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const EXPORT = /^export (?:declare )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm;

/** What a file brings into the house: a component is called like its file. A list in capitals is no other thing's name. */
function namesIn(path: string, text: string): string[] {
  if (path.endsWith(".svelte")) return [path.replace(/.*\//, "").replace(".svelte", "")];
  return [...text.matchAll(EXPORT)].map(([, name = ""]) => name).filter((name) => name !== name.toUpperCase());
}

it("gives one name to one thing: nothing is exported twice, nor in other capitals, and no component is called like a type", () => {
  const homes = new Map<string, string[]>();
  for (const [path, text] of Object.entries(sources)) {
    for (const name of namesIn(path, text).map((one) => one.toLowerCase()))
      homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  expect(homes.size).toBeGreaterThan(300);
  expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
