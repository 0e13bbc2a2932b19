// The settings of the last table this person set up, to play the same again.

import type { NewTable } from "../../generated/protocol";
import { writeStored, readStored } from "./storage";

const KEY = "hexholm.lasttable";

export function readLastTable(): NewTable | null {
  return readStored<{ wish: NewTable | null }>(KEY, { wish: null }).wish;
}

export function storeLastTable(table: NewTable): void {
  writeStored(KEY, { wish: table });
}
