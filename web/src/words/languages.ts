// The languages we speak, and their words: those of a language come in one file when it is wanted.

import { LANGUAGES } from "../generated/names";
import type { Catalogue } from "./catalogue";

/** What a language says: the texts of the pages, and the catalogue that is shared with the host. */
export interface LanguageFile {
  code: LanguageCode;
  texts: object;
  words: Catalogue;
}

export type LanguageCode = (typeof LANGUAGES)[number];

const FILES = import.meta.glob<Omit<LanguageFile, "code">>("./data/*.ts");

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
