// The names of the texts as types, so that `npm run check` finds a wrong one. `npm run texts` writes them.

import { expect, it } from "vitest";
import { LANGUAGES } from "../generated/names";
import vocabulary from "../generated/vocabulary.json";
import { Words, type Catalogue } from "./catalogue";
import english from "./data/en.toml";
import { loadWords } from "./languages";
import { flattenTexts } from "./pageTexts";

const files = await Promise.all(LANGUAGES.map(loadWords));
const languages = files.map(({ texts, words }) => ({
  texts: flattenTexts(texts),
  words: new Words(words as unknown as Catalogue, vocabulary),
}));

/** Whether a text, in any language, has a slot that an edition fills with a word of its own. */
function ofEdition(key: string): boolean {
  return languages.some(({ texts, words }) => {
    const slots = JSON.stringify(texts.get(key)).matchAll(/\{(\w+)\}/g);
    const terms = Object.keys(vocabulary).map((edition) => words.terms(edition));
    return [...slots].some(([, name = ""]) => terms.every((known) => name.toLowerCase() in known));
  });
}

function union(name: string, keys: readonly string[]): string {
  return `export type ${name} =\n${keys.map((key) => `  | "${key}"`).join("\n")};\n`;
}

it("are a type that is up to date (npm run texts)", async () => {
  const keys = [...flattenTexts(english).keys()];
  const file = [
    "// Written from words/data/en.toml by `npm run texts`. Do not edit.\n",
    `/** Texts that are the same in every edition. */\n${union(
      "PlainKey",
      keys.filter((key) => !ofEdition(key)),
    )}`,
    `/** Texts that have words of an edition in them. */\n${union("EditionKey", keys.filter(ofEdition))}`,
    "export type TextKey = PlainKey | EditionKey;\n",
  ].join("\n");
  await expect(file).toMatchFileSnapshot("../generated/texts.d.ts");
});
