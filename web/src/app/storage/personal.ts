// What this browser keeps of a person, as against how it is set up.

import type { StoredSettings } from "./settings.svelte";
import { saveSettings } from "./settings.svelte";
import { dropStored } from "./storage";

/** Seats, the last table and the tutorial; the keys of those who keep them. */
const PERSONAL = ["hexholm.seats", "hexholm.lasttable", "hexholm.tutorial"];

/** The guest was deleted: nothing here leads to it any more. Language, light and keys stay. */
export function forgetPerson(settings: StoredSettings): void {
  PERSONAL.forEach(dropStored);
  saveSettings(settings, { name: "" });
}

/** The recovery text in the address's fragment (#recover=...), if there is one; it is removed from the address. */
export function takeRecoveryFromAddress(): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get("recover");
  if (found !== null) history.replaceState(null, "", location.pathname + location.search);
  return found || null;
}
