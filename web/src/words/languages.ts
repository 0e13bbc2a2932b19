// The languages we speak, and their words: those of a language come in one file when it is wanted, and the texts of what
// is loaded later in another.

import { LANGUAGES } from "../generated/names";
import type { Catalogue } from "./catalogue";

/** What a language says: the texts of the pages, and the catalogue that is shared with the host. */
export interface LanguageFile {
  code: LanguageCode;
  texts: object;
  words: Catalogue;
  /** The texts of what is loaded later, if they are there already. */
  later?: object;
}

export type LanguageCode = (typeof LANGUAGES)[number];

const FILES = import.meta.glob<Omit<LanguageFile, "code">>("./data/*.ts");
const LATER_FILES = import.meta.glob<object>("./data/later/*.toml", { import: "default" });
/** The sections of texts in `data/later/`. A first visit needs none of them. */
export const LATER_SECTIONS: readonly string[] = [
  "chart",
  "dice",
  "me",
  "tutorial",
  "share",
  "spectator",
  "menu",
  "keys",
  "end",
  "replay",
  "table",
];

export const isLanguage = (code: string): code is LanguageCode => LANGUAGES.some((one) => one === code);

/** What a language calls itself: "Deutsch". */
export function languageName(code: LanguageCode): string {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/** Throws where the language has no file. */
export async function loadWords(code: LanguageCode): Promise<LanguageFile> {
  const load = FILES[`./data/${code}.ts`];
  if (!load) throw new Error(`there are no words in ${code}`);
  const { texts, words } = await load();
  return { code, texts, words };
}

/** The texts of what is loaded later. Throws where the language has no file. */
export async function loadLaterTexts(code: LanguageCode): Promise<object> {
  const load = LATER_FILES[`./data/later/${code}.toml`];
  if (!load) throw new Error(`there are no later texts in ${code}`);
  return load();
}
