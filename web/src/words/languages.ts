// The languages we speak, and their words: those of a language come in one file when it is wanted.

import { readStored, writeStored } from "../app/storage/storage";
import { LANGUAGES } from "../generated/names";

/** What a language says: the texts of the pages, and the catalogue that is shared with the host. */
export interface LanguageFile {
  texts: object;
  words: object;
}

export type LanguageCode = (typeof LANGUAGES)[number];

const KEY = "hexholm.language";
const FILES = import.meta.glob<LanguageFile>("./data/*.ts");

export const isLanguage = (code: string): code is LanguageCode => LANGUAGES.some((one) => one === code);

/** What a language calls itself: "Deutsch". */
export function languageName(code: LanguageCode): string {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/** What was chosen before, or the first language of the browser that we speak. */
export function preferredLanguage(): LanguageCode {
  const chosen = readStored(KEY, { code: "" }).code;
  if (isLanguage(chosen)) return chosen;
  const browser = globalThis.navigator?.languages ?? [];
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

export function storeLanguage(code: string): void {
  writeStored(KEY, { code });
}

/** Throws where the language has no file. */
export async function loadWords(code: LanguageCode): Promise<LanguageFile> {
  const load = FILES[`./data/${code}.ts`];
  if (!load) throw new Error(`there are no words in ${code}`);
  return load();
}
