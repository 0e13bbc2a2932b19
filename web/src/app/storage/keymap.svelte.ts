// Which single key does what; everybody may choose their own. Kept in this browser.

import { keysFit } from "../media.svelte";
import { settings } from "./settings.svelte";
import { writeStored, readStored } from "./storage";

const USUAL = {
  roll: "r",
  end: "e",
  road: "1",
  settlement: "2",
  city: "3",
  card: "4",
  trade: "t",
  accept: "y",
  reject: "n",
  board: "b",
  rules: "?",
} as const;
const KEY = "hexholm.keys";

export type KeyCommand = keyof typeof USUAL;
export const KEY_COMMANDS = Object.keys(USUAL) as KeyCommand[];

const chosen: Record<KeyCommand, string> = $state(readStored<Record<KeyCommand, string>>(KEY, USUAL));

export const keymap = {
  keyOf(command: KeyCommand): string {
    return chosen[command];
  },
  /** The key as it is shown to those who have keys and want them. */
  shown(command: KeyCommand): string | undefined {
    return settings.shortcuts && keysFit.matches ? chosen[command].toUpperCase() : undefined;
  },
  /** What a key does; undefined: nothing. */
  commandOf(key: string): KeyCommand | undefined {
    return KEY_COMMANDS.find((command) => chosen[command] === key.toLowerCase());
  },
  /** Another key for a command; the one who had it takes the old one. False: it is no key for this. */
  choose(command: KeyCommand, key: string): boolean {
    const wanted = key.toLowerCase();
    if (wanted.trim().length !== 1) return false;
    const other = this.commandOf(wanted);
    if (other) chosen[other] = chosen[command];
    chosen[command] = wanted;
    writeStored(KEY, chosen);
    return true;
  },
  get usual(): boolean {
    return KEY_COMMANDS.every((command) => chosen[command] === USUAL[command]);
  },
  reset(): void {
    Object.assign(chosen, USUAL);
    writeStored(KEY, chosen);
  },
};
