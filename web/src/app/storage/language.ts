// Which language this person reads.

import { isLanguage, type LanguageCode } from "../../words/languages";
import { readStored, writeStored } from "./storage";

/** What was chosen before, or the first language of the browser that we speak. */
export function preferredLanguage(): LanguageCode {
  const { code } = readStored("language");
  if (typeof code === "string" && isLanguage(code)) return code;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

export function storeLanguage(code: LanguageCode): void {
  writeStored("language", { code });
}
