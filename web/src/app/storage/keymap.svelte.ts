// Which single key does what; everybody may choose their own. Kept in this browser.

import { desk, settings } from "./settings.svelte";
import { store, stored } from "./storage";

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

export type Deed = keyof typeof USUAL;
export const DEEDS = Object.keys(USUAL) as Deed[];

const chosen: Record<Deed, string> = $state(stored<Record<Deed, string>>(KEY, USUAL));

export const keymap = {
  of(deed: Deed): string {
    return chosen[deed];
  },
  /** The key as it is shown to those who have keys and want them. */
  shown(deed: Deed): string | undefined {
    return settings.shortcuts && desk.matches ? chosen[deed].toUpperCase() : undefined;
  },
  /** What a key does; undefined: nothing. */
  deed(key: string): Deed | undefined {
    return DEEDS.find((deed) => chosen[deed] === key.toLowerCase());
  },
  /** Another key for a deed; the one who had it takes the old one. False: it is no key for this. */
  choose(deed: Deed, key: string): boolean {
    const wanted = key.toLowerCase();
    if (wanted.trim().length !== 1) return false;
    const other = this.deed(wanted);
    if (other) chosen[other] = chosen[deed];
    chosen[deed] = wanted;
    store(KEY, chosen);
    return true;
  },
  get usual(): boolean {
    return DEEDS.every((deed) => chosen[deed] === USUAL[deed]);
  },
  reset(): void {
    Object.assign(chosen, USUAL);
    store(KEY, chosen);
  },
};
