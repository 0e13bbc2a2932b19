// The settings of the last table this person set up, to play the same again.

import type { NewTable } from "../../generated/protocol";
import { isFields, readStored, writeStored } from "./storage";

/** What else is in it, the host looks at. */
const isNewTable = (fields: unknown): fields is NewTable => isFields(fields) && typeof fields.name === "string";

export function readLastTable(): NewTable | null {
  const { wish } = readStored("lasttable");
  return isNewTable(wish) ? wish : null;
}

export function storeLastTable(wish: NewTable): void {
  writeStored("lasttable", { wish });
}
