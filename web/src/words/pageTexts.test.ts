import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../generated/names";
import vocabulary from "../generated/vocabulary.json";
import german from "./data/de.toml";
import { PageTexts, flattenTexts } from "./pageTexts";
import { Words } from "./catalogue";
import { LATER_SECTIONS, loadLaterTexts, loadWords, type LanguageCode, type LaterFolder } from "./languages";

const FOLDERS = Object.keys(LATER_SECTIONS) as LaterFolder[];
type WholeLanguage = Awaited<ReturnType<typeof loadWords>> & { later: object; folders: Record<string, string[]> };
/** What `of` makes of each language's files. */
async function byLanguage<T>(of: (file: WholeLanguage) => T): Promise<Record<LanguageCode, T>> {
  const made = LANGUAGES.map(async (code) => {
    const files = await Promise.all(FOLDERS.map((folder) => loadLaterTexts(code, folder)));
    const folders = Object.fromEntries(FOLDERS.map((folder, i) => [folder, Object.keys(files[i] ?? {})]));
    const later = files.reduce<object>((all, file) => ({ ...all, ...file }), {});
    return [code, of({ ...(await loadWords(code)), later, folders })] as const;
  });
  return Object.fromEntries(await Promise.all(made)) as Record<LanguageCode, T>;
}

const texts = await byLanguage((file) => new Map([...flattenTexts(file.texts), ...flattenTexts(file.later)]));
const folders = await byLanguage((file) => file.folders);
const twice = await byLanguage((file) =>
  [...flattenTexts(file.later).keys()].filter((key) => flattenTexts(file.texts).has(key)),
);
const words = await byLanguage((file) => new Words(file.words, file.vocabulary));
const sources = Object.entries(
  import.meta.glob<string>("../**/*.{svelte,ts}", { query: "?raw", import: "default", eager: true }),
)
  .filter(([name]) => !/\.test\.ts$|generated/.test(name))
  .map(([name, source]): [string, string] => [name, uncommented(source)]);

/** A source without its comments. */
function uncommented(source: string): string {
  return source.replace(/\/\*.*?\*\/|<!--.*?-->/gs, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

const LITERAL = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g;
/** Names of texts that a piece of source has in quotes; of `part.${what}` what stands before the first ${. */
function named(source: string): { whole: string[]; begun: string[] } {
  const whole: string[] = [];
  const begun: string[] = [];
  for (const [, double, single, template] of source.matchAll(LITERAL)) {
    const text = double ?? single ?? template ?? "";
    const [head = "", ...rest] = text.split("${");
    if (/^[a-z_]+\.[\w.-]*$/.test(head)) (rest.length ? begun : whole).push(head);
  }
  return { whole, begun };
}

/** The first argument of every t(...), and of every findText(...). */
function* asked(source: string): Generator<string> {
  for (const { 0: call, index } of source.matchAll(/(?<![\w.])(?:t|findText)\(/g)) {
    let depth = 0;
    for (let i = index + call.length; i < source.length; i++) {
      const sign = source.charAt(i);
      if ("([{".includes(sign)) depth++;
      if (depth === 0 && (sign === "," || sign === ")")) {
        yield source.slice(index + call.length, i);
        break;
      }
      if (")]}".includes(sign)) depth--;
    }
  }
}

const parts = (text: string | object): string[] =>
  typeof text === "string" ? [text] : Object.values(text).map(String);
const slots = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");

/** The slots of a text that no edition has a word for: the page must fill them. */
function given(language: LanguageCode, key: string): string[] {
  const all = parts(texts[language].get(key) ?? "").flatMap(slots);
  const known = (name: string): boolean =>
    Object.keys(vocabulary).every((edition) => name.toLowerCase() in words[language].terms(edition));
  return [...new Set(all.filter((name) => !known(name)))].sort();
}

describe("the texts of the pages", () => {
  it.each(LANGUAGES)("are the same in %s as in English", (language) => {
    expect([...texts[language].keys()]).toEqual([...texts.en.keys()]);
  });

  it.each(LANGUAGES)("need the same from the page in %s as in English", (language) => {
    const differ = [...texts.en.keys()].filter((key) => String(given(language, key)) !== String(given("en", key)));
    expect(differ.map((key) => [key, given("en", key), given(language, key)])).toEqual([]);
  });

  it.each(LANGUAGES)(
    "that are loaded later in %s are of sections that are known for it, and in one file alone",
    (language) => {
      expect(folders[language]).toEqual(LATER_SECTIONS);
      expect(twice[language]).toEqual([]);
    },
  );

  it("are there, wherever a page asks for one", () => {
    const keys = [...texts.en.keys()];
    const missing = sources.flatMap(([name, source]) =>
      [...asked(source)]
        .map(named)
        .flatMap(({ whole, begun }) => [
          ...whole.filter((key) => !texts.en.has(key)).map((key) => `${name}: ${key}`),
          ...begun.filter((head) => !keys.some((key) => key.startsWith(head))).map((head) => `${name}: ${head}...`),
        ]),
    );
    expect(missing).toEqual([]);
  });

  it("are all used", () => {
    const all = sources.map(([, source]) => named(source));
    const whole = new Set(all.flatMap((found) => found.whole));
    const begun = all.flatMap((found) => found.begun);
    const unused = [...texts.en.keys()].filter((key) => !whole.has(key) && !begun.some((head) => key.startsWith(head)));
    expect(unused).toEqual([]);
  });
});

describe("a book of texts", () => {
  const term = (edition: string) => (name: string) => words.de.term(name, edition);
  const book = new PageTexts(german, "de");

  it("fills what the page gives, and numbers as the language writes them", () => {
    const own = new PageTexts({ a: { b: "{who} hat {n}" } }, "de");
    expect(own.text("a.b", { who: "{n}", n: 1234.5 }, String)).toBe("{n} hat 1.234,5");
  });

  it("chooses by number", () => {
    const own = new PageTexts({ a: { one: "{n} Platz", other: "{n} Plätze" } }, "de");
    expect([0, 1, 2].map((n) => own.text("a", { n }, String))).toEqual(["0 Plätze", "1 Platz", "2 Plätze"]);
  });

  it("chooses among all forms that a language has", () => {
    const own = new PageTexts({ a: { one: "{n} karta", few: "{n} karty", other: "{n} kart" } }, "pl");
    const said = [1, 3, 5, 22].map((n) => own.text("a", { n }, String));
    expect(said).toEqual(["1 karta", "3 karty", "5 kart", "22 karty"]);
  });

  it("has the words of the edition, with a capital where one is wanted", () => {
    expect(book.text("trade.with_supply", {}, term("fifth"))).toBe("Mit dem Vorrat tauschen");
    expect(book.text("trade.with_supply", {}, term("summary"))).toBe("Mit der Bank tauschen");
    const own = new PageTexts({ a: "{Stock} {stock}" }, "en");
    expect(own.text("a", {}, (name) => words.en.term(name, "summary"))).toBe("Bank bank");
  });

  it("says nothing where a text is not there", () => {
    expect(book.text("no.such", {}, String)).toBeNull();
  });
});
