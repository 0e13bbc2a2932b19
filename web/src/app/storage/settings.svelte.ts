// What this person wants, kept in this browser: theme, motion, sound, confirmation, shortcuts, name.

import type { TableLine } from "../../generated/protocol";
import { writeStored, readStored } from "./storage";

export interface StoredSettings {
  theme: "system" | "light" | "dark";
  motion: "system" | "on" | "off";
  sound: boolean;
  /** Ask once more before something is built. */
  confirm: boolean;
  shortcuts: boolean;
  /** Show the line for typed commands. */
  commands: boolean;
  /** Show the names of the places on the board. */
  places: boolean;
  name: string;
  /** How fast the bots play at the tables one sets up. */
  pace: BotPace;
}

export type BotPace = NonNullable<TableLine["pace"]>;

const KEY = "hexholm.settings";
const DEFAULTS: StoredSettings = {
  theme: "system",
  motion: "system",
  sound: false,
  confirm: false,
  shortcuts: true,
  commands: false,
  places: false,
  name: "",
  pace: "normal",
};

/** The settings of the page, as they were kept; what is set is kept at once. */
export function keptSettings(): StoredSettings {
  const settings = $state(readStored(KEY, DEFAULTS));
  return settings;
}

export function saveSettings(settings: StoredSettings, change: Partial<StoredSettings>): void {
  Object.assign(settings, change);
  writeStored(KEY, settings);
}
