// The language of the page. Everything here is reactive: a page that says t("start.play") says it anew when the
// language changes. English comes with the page, other languages when they are chosen.

import englishWords from "@words/en.toml";
import vocabulary from "../generated/vocabulary.json";
import englishTexts from "../words/en.toml";
import { store, stored } from "./settings.svelte";
import { Book, type TextValues } from "./texts";
import { Words, type Catalogue } from "./words";

interface Speaker {
  book: Book;
  words: Words;
}

interface Data {
  default: object;
}

export const LANGUAGES = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;
const KEY = "hexholm.language";
const ELSEWHERE: Record<string, () => Promise<[Data, Data]>> = {
  de: () => Promise.all([import("../words/de.toml"), import("@words/de.toml")]),
};

const speaker = (code: string, texts: object, words: object): Speaker => ({
  book: new Book(texts, code),
  words: new Words(words as Catalogue, vocabulary),
});

const english = speaker("en", englishTexts, englishWords);
const speakers: Partial<Record<string, Speaker>> = { en: english };
let spoken = $state.raw(english);
/** The edition one plays if nothing is said, as on the command line. */
export const USUAL_EDITION = "sixth";
let edition = $state(USUAL_EDITION);
let wanted = "en";

/** Speak a language from now on; it is loaded first. If that fails, the page goes on as it was. */
async function speak(code: string): Promise<void> {
  wanted = code;
  const load = ELSEWHERE[code];
  if (!speakers[code] && load) {
    const [texts, words] = await load();
    speakers[code] = speaker(code, texts.default, words.default);
  }
  if (wanted === code) spoken = speakers[code] ?? spoken;
}

/** What was chosen before, or the first language of the browser that we speak. */
function preferred(): string {
  const spokenHere = (code: string): boolean => LANGUAGES.some((language) => language.code === code);
  const chosen = stored(KEY, { code: "" }).code;
  if (spokenHere(chosen)) return chosen;
  const browser = globalThis.navigator?.languages ?? [];
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(spokenHere) ?? "en";
}

export const i18n = {
  get language(): string {
    return spoken.book.language;
  },
  /** Events, prompts and refusals in this language. */
  get words(): Words {
    return spoken.words;
  },
  /** The edition whose words the page uses: that of the table that is shown. */
  get edition(): string {
    return edition;
  },
  set edition(name: string) {
    edition = name;
  },
  /** Change the language, now and for the next visits. */
  async choose(code: string): Promise<void> {
    store(KEY, { code });
    await speak(code).catch(() => undefined);
  },
};

/** When it is fulfilled, the page can be shown in the language that is wanted. */
export const ready: Promise<void> = speak(preferred()).catch(() => undefined);

/** A text of the pages: t("hand.title", { n: 7 }). Its name must be in words/en.toml and words/de.toml. */
export function t(key: string, values: TextValues = {}): string {
  return spoken.book.text(key, values, (name) => spoken.words.term(name, edition));
}

/** A number as this language writes it: 1.234,5. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(i18n.language, options).format(value);
}

const lists: Record<string, Intl.ListFormat> = {}; // costly to make

/** Several things in a row: "a, b and c", or "a, b or c". */
export function list(items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  const key = `${i18n.language} ${type}`;
  const made = (lists[key] ??= new Intl.ListFormat(i18n.language === "en" ? "en-GB" : i18n.language, { type }));
  return made.format(items);
}

/** A moment, in unix seconds: "15 Nov 2026, 17:50". */
export function moment(time: number): string {
  const format = new Intl.DateTimeFormat(i18n.language === "en" ? "en-GB" : i18n.language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return format.format(time * 1000);
}
