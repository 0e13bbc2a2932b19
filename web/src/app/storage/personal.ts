// What this browser keeps of a person, as against how it is set up.

import { saveSettings, type StoredSettings } from "./settings.svelte";
import { dropPersonal } from "./storage";

/** The guest was deleted: nothing here leads to it any more. Language, light and keys stay. */
export function forgetPerson(settings: StoredSettings): void {
  dropPersonal();
  saveSettings(settings, { name: "" });
}
