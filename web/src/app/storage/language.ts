// Which language this person reads.

import { isLanguage, type LanguageCode } from "../../words/languages";
import { readStored, writeStored } from "./storage";

const KEY = "hexholm.language";

/** What was chosen before, or the first language of the browser that we speak. */
export function preferredLanguage(): LanguageCode {
  const chosen = readStored(KEY, { code: "" }).code;
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

export function storeLanguage(code: string): void {
  writeStored(KEY, { code });
}
