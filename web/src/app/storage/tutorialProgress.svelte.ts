// What this browser remembers of a lesson: the hints that were read or skipped, and whether it was left. Of the latest
// table only; on another the lesson begins anew.

import { store, stored } from "./storage";

export interface Memory {
  table: string;
  skipped: readonly string[];
  left: boolean;
}

const KEY = "hexholm.tutorial";

let memory = $state.raw<Memory | null>(null);

export function remembered(table: string): Memory {
  const fresh: Memory = { table, skipped: [], left: false };
  const found = memory ?? stored(KEY, fresh);
  return found.table === table ? found : fresh;
}

export function remember(now: Memory): void {
  memory = now;
  store(KEY, now);
}
