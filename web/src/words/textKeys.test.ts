// The names of the texts as a type, so that `npm run check` finds a wrong one. `npm run texts` writes it.

import { expect, it } from "vitest";
import english from "./data/en.toml";
import laterEnglish from "./data/later/en.toml";
import setupEnglish from "./data/setup/en.toml";
import { flattenTexts } from "./pageTexts";

it("are a type that is up to date (npm run texts)", async () => {
  const keys = [english, laterEnglish, setupEnglish]
    .flatMap((texts) => [...flattenTexts(texts).keys()])
    .map((key) => `  | "${key}"`);
  const file = [
    "// Written from words/data/en.toml, later/en.toml and setup/en.toml by `npm run texts`. Do not edit.\n",
    `export type TextKey =\n${keys.join("\n")};\n`,
  ].join("\n");
  await expect(file).toMatchFileSnapshot("../generated/texts.d.ts");
});
