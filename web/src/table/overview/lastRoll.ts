// The last roll, and what it paid: from the log, so that a page that was loaded again shows it too.

import type { Cards } from "../../game/play/action";
import type { LogLine } from "../../game/table.svelte";
import type { View } from "../../lib/view";

export interface Roll {
  /** The number; null: nobody has rolled yet. */
  total: number | null;
  /** What each got since, by colour. */
  gains: Record<string, Cards>;
}

/** Where rolls were taken back, the one that counts is that of the view; before the next roll none is shown then. */
export function lastRoll(log: readonly LogLine[], view: Pick<View, "dice" | "active"> | null): Roll {
  let gains: Record<string, Cards> | undefined;
  let back = false;
  for (let i = log.length - 1; i >= 0; i -= 1) {
    const line = log[i];
    if (line?.kind === "change" && line.what === "took_back") back = true;
    if (line?.kind !== "event") continue;
    const { event } = line;
    if (event.event === "produced") gains ??= event.gains as Record<string, Cards>;
    if (event.event !== "rolled") continue;
    if (!back || counts(event.dice, event.player, view)) return { total: Number(event.total), gains: gains ?? {} };
    if (!view?.dice) return { total: null, gains: {} };
    gains = undefined; // they were paid by a roll that does not count
  }
  return { total: null, gains: gains ?? {} };
}

function counts(dice: unknown, player: unknown, view: Pick<View, "dice" | "active"> | null): boolean {
  return view?.dice?.join() === String(dice) && view.active === player;
}
