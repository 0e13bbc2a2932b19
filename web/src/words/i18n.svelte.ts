// The language of the page. Everything here is reactive: a page that says t("start.play") says it anew when the
// language changes. Whoever uses this waits until the words of the language that is wanted are there.

import vocabulary from "../generated/vocabulary.json";
import { isSpoken, prefer, preferred, words, type Said } from "./languages";
import { Book, type TextValues } from "./pageTexts";
import { Words, type Catalogue } from "./catalogue";

interface Speaker {
  book: Book;
  words: Words;
}

const speaker = (code: string, said: Said): Speaker => ({
  book: new Book(said.texts, code),
  words: new Words(said.words as Catalogue, vocabulary),
});

const speakers: Partial<Record<string, Speaker>> = {};
const first = await learn(preferred()).catch(() => learn("en"));
let spoken = $state.raw(first);
/** The edition one plays if nothing is said, as on the command line. */
export const USUAL_EDITION = "sixth";
let edition = $state(USUAL_EDITION);
let wanted = first.book.language;

/** Be able to speak a language: its words are loaded, once. */
async function learn(code: Parameters<typeof words>[0]): Promise<Speaker> {
  return (speakers[code] ??= speaker(code, await words(code)));
}

/** Speak a language from now on. If that fails, the page goes on as it was. */
async function speak(code: string): Promise<void> {
  if (!isSpoken(code)) return;
  wanted = code;
  const able = await learn(code);
  if (wanted === code) spoken = able;
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
    prefer(code);
    await speak(code).catch(() => undefined);
  },
};

/** A text of the pages: t("hand.title", { n: 7 }). Its name must be in words/data/en.toml and de.toml. */
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
