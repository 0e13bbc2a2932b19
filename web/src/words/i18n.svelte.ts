// The language of the page. Everything here is reactive: a page that says t("start.play") says it anew when the
// language changes. Whoever uses this waits until the words of the language that is wanted are there.

import { DEFAULT_EDITION } from "../generated/names";
import type { PlainKey } from "../generated/texts";
import vocabulary from "../generated/vocabulary.json";
import { isLanguage, storeLanguage, preferredLanguage, loadWords, type LanguageFile } from "./languages";
import { PageTexts, type TextValues } from "./pageTexts";
import { Words, type Catalogue } from "./catalogue";

interface Speaker {
  book: PageTexts;
  words: Words;
}

const speaker = (code: string, said: LanguageFile): Speaker => ({
  book: new PageTexts(said.texts, code),
  words: new Words(said.words as Catalogue, vocabulary),
});

const speakers: Partial<Record<string, Speaker>> = {};
const first = await learn(preferredLanguage()).catch(() => learn("en"));
let spoken = $state.raw(first);
let wanted = first.book.language;

/** Be able to speak a language: its words are loaded, once. */
async function learn(code: Parameters<typeof loadWords>[0]): Promise<Speaker> {
  return (speakers[code] ??= speaker(code, await loadWords(code)));
}

/** Speak a language from now on. If that fails, the page goes on as it was. */
async function speak(code: string): Promise<void> {
  if (!isLanguage(code)) return;
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
  /** Change the language, now and for the next visits. */
  async choose(code: string): Promise<void> {
    storeLanguage(code);
    await speak(code).catch(() => undefined);
  },
};

/** A text of the pages: t("start.waiting", { n: 2 }). Those with words of an edition are said by `Speech`. */
export function t(key: PlainKey, values: TextValues = {}): string {
  return findTextIn(DEFAULT_EDITION, key, values) ?? key;
}

/** A text in the words of an edition; null: there is none of that name. */
export function findTextIn(edition: string, key: string, values: TextValues = {}): string | null {
  return spoken.book.text(key, values, (name) => spoken.words.term(name, edition));
}

/** A number as this language writes it: 1.234,5. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(i18n.language, options).format(value);
}

const lists: Record<string, Intl.ListFormat> = {}; // costly to make

/** Several things in a row: "a, b and c", or "a, b or c". */
export function formatList(items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  const key = `${i18n.language} ${type}`;
  const made = (lists[key] ??= new Intl.ListFormat(i18n.language === "en" ? "en-GB" : i18n.language, { type }));
  return made.format(items);
}

/** A moment, in unix seconds: "15 Nov 2026, 17:50". */
export function formatMoment(time: number): string {
  const format = new Intl.DateTimeFormat(i18n.language === "en" ? "en-GB" : i18n.language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return format.format(time * 1000);
}
