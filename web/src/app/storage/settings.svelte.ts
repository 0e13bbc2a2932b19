// What this person wants, kept in this browser: theme, motion, sound, confirmation, shortcuts, name.

import { PACES } from "../../generated/names";
import { readStored, writeStored } from "./storage";

export interface StoredSettings {
  theme: (typeof THEMES)[number];
  motion: (typeof MOTIONS)[number];
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

export type BotPace = (typeof PACES)[number];

const THEMES = ["system", "light", "dark"] as const;
const MOTIONS = ["system", "on", "off"] as const;

/** The settings as they were kept; each that is none of ours is as usual. */
function readSettings(): StoredSettings {
  const kept = readStored("settings");
  const choice = <Choice>(choices: readonly Choice[], value: unknown, usual: Choice): Choice =>
    choices.find((known) => known === value) ?? usual;
  const flag = (value: unknown, usual = false): boolean => (typeof value === "boolean" ? value : usual);
  return {
    theme: choice(THEMES, kept.theme, "system"),
    motion: choice(MOTIONS, kept.motion, "system"),
    sound: flag(kept.sound),
    confirm: flag(kept.confirm),
    shortcuts: flag(kept.shortcuts, true),
    commands: flag(kept.commands),
    places: flag(kept.places),
    name: typeof kept.name === "string" ? kept.name : "",
    pace: choice(PACES, kept.pace, "normal"),
  };
}

/** The settings of the page, as they were kept; what is set is kept at once. */
export function keptSettings(): StoredSettings {
  const settings = $state(readSettings());
  return settings;
}

export function saveSettings(settings: StoredSettings, change: Partial<StoredSettings>): void {
  Object.assign(settings, change);
  writeStored("settings", { ...readStored("settings"), ...change }); // another tab may have set something else
}
