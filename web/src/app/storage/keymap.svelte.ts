// Which single key does what; everybody may choose their own. Kept in this browser.

import type { StoredSettings } from "./settings.svelte";
import { readStored, textsIn, writeStored } from "./storage";

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
} as const satisfies Record<string, string>;

export type KeyCommand = keyof typeof USUAL;
export const KEY_COMMANDS = Object.keys(USUAL) as KeyCommand[];

/** The keys that were chosen, each where it is one. */
function readKeys(): Record<KeyCommand, string> {
  const chosen = Object.entries(textsIn(readStored("keys"))).filter(([name, key]) => name in USUAL && key.length === 1);
  return { ...USUAL, ...Object.fromEntries(chosen) };
}

export class Keymap {
  private readonly chosen: Record<KeyCommand, string> = $state(readKeys());

  /** `fit`: there is room to show keys. */
  constructor(
    private readonly settings: Pick<StoredSettings, "shortcuts">,
    private readonly fit: { readonly current: boolean },
  ) {}

  keyOf(command: KeyCommand): string {
    return this.chosen[command];
  }

  /** The key as it is shown to those who have keys and want them. */
  shown(command: KeyCommand): string | undefined {
    return this.settings.shortcuts && this.fit.current ? this.chosen[command].toUpperCase() : undefined;
  }

  /** What a key does; undefined: nothing. */
  commandOf(key: string): KeyCommand | undefined {
    return KEY_COMMANDS.find((command) => this.chosen[command] === key.toLowerCase());
  }

  /** Another key for a command; the one who had it takes the old one. False: it is no key for this. */
  choose(command: KeyCommand, key: string): boolean {
    const wanted = key.toLowerCase();
    if (wanted.trim().length !== 1) return false;
    const other = this.commandOf(wanted);
    if (other) this.chosen[other] = this.chosen[command];
    this.chosen[command] = wanted;
    writeStored("keys", this.chosen);
    return true;
  }

  get usual(): boolean {
    return KEY_COMMANDS.every((command) => this.chosen[command] === USUAL[command]);
  }

  reset(): void {
    Object.assign(this.chosen, USUAL);
    writeStored("keys", this.chosen);
  }
}
