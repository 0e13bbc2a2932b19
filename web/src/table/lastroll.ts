// The last roll, and what it paid: from the log, so that a page that was loaded again shows it too.

import type { Cards } from "../lib/action";
import type { LogLine } from "../lib/table.svelte";

export interface Roll {
  /** The number; null: nobody has rolled yet. */
  total: number | null;
  /** What each got since, by colour. */
  gains: Record<string, Cards>;
}

export function lastRoll(log: readonly LogLine[]): Roll {
  let gains: Record<string, Cards> | undefined;
  for (let i = log.length - 1; i >= 0; i -= 1) {
    const line = log[i];
    if (line?.kind !== "event") continue;
    if (line.event.event === "produced") gains ??= line.event.gains as Record<string, Cards>;
    if (line.event.event === "rolled") return { total: Number(line.event.total), gains: gains ?? {} };
  }
  return { total: null, gains: gains ?? {} };
}
