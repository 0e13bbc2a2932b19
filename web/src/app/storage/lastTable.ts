// The settings of the last table this person set up, to play the same again.

import type { NewTable } from "../../generated/protocol";
import { store, stored } from "./storage";

const KEY = "hexholm.lasttable";

export function lastWish(): NewTable | null {
  return stored<{ wish: NewTable | null }>(KEY, { wish: null }).wish;
}

export function keepWish(wish: NewTable): void {
  store(KEY, { wish });
}
