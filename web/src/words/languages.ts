// The languages we speak, and their words: those of a language come in one file when it is wanted.

import { store, stored } from "../app/storage/storage";

/** What a language says: the texts of the pages, and the catalogue that is shared with the host. */
export interface Said {
  texts: object;
  words: object;
}

export const LANGUAGES = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;
type Code = (typeof LANGUAGES)[number]["code"];

const KEY = "hexholm.language";
const FILES: Record<Code, () => Promise<Said>> = {
  en: () => import("./data/en"),
  de: () => import("./data/de"),
};

export const isSpoken = (code: string): code is Code => code in FILES;

/** What was chosen before, or the first language of the browser that we speak. */
export function preferred(): Code {
  const chosen = stored(KEY, { code: "" }).code;
  if (isSpoken(chosen)) return chosen;
  const browser = globalThis.navigator?.languages ?? [];
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isSpoken) ?? "en";
}

export function prefer(code: string): void {
  store(KEY, { code });
}

export function words(code: Code): Promise<Said> {
  return FILES[code]();
}
