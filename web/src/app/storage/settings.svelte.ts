// What this person wants, kept in this browser: theme, motion, sound, confirmation, shortcuts, name.

import { width } from "../../styles/breakpoints.json";
import type { TableLine } from "../../generated/protocol";
import { writeStored, readStored } from "./storage";

export interface Settings {
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
const DEFAULTS: Settings = {
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

export const settings: Settings = $state(readStored(KEY, DEFAULTS));

export function saveSettings(change: Partial<Settings>): void {
  Object.assign(settings, change);
  writeStored(KEY, settings);
}

function media(text: string): { readonly matches: boolean } {
  const list = globalThis.matchMedia?.(text);
  let matches = $state(list?.matches ?? false);
  list?.addEventListener("change", () => (matches = list.matches));
  return {
    get matches() {
      return matches;
    },
  };
}

const darkSystem = media("(prefers-color-scheme: dark)");
const stillSystem = media("(prefers-reduced-motion: reduce)");
/** Wide enough for the desktop's three columns. */
export const wide = media(`(width >= ${width.wide}px)`);
/** At a desk, where there are keys, and room to say which does what. */
export const desk = media(`(width >= ${width.desk}px) and (hover: hover)`);

export const appearance = {
  get theme(): "light" | "dark" {
    if (settings.theme !== "system") return settings.theme;
    return darkSystem.matches ? "dark" : "light";
  },
  get motion(): boolean {
    return settings.motion === "system" ? !stillSystem.matches : settings.motion === "on";
  },
};
