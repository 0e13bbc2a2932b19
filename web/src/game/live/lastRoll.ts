// The last roll, and what it paid: from the log, so that a page that was loaded again shows it too.

import type { ByColor } from "../../net/colors";
import type { Cards, View } from "../../generated/protocol";
import type { EventOf } from "./events";
import type { LogLine } from "./logLines";

export interface LastRoll {
  /** The number; null: nobody has rolled yet. */
  total: number | null;
  /** What each got since, by color. */
  gains: ByColor<Cards>;
}

/** Where rolls were taken back, the one that counts is that of the view; before the next roll none is shown then. */
export function findLastRoll(log: readonly LogLine[], view: Pick<View, "dice" | "active"> | null): LastRoll {
  let gains: ByColor<Cards> | undefined;
  let back = false;
  for (let i = log.length - 1; i >= 0; i -= 1) {
    const line = log[i];
    if (line?.kind === "change" && line.what === "took_back") back = true;
    if (line?.kind !== "event") continue;
    const { event } = line;
    if (event.event === "produced") gains ??= event.gains;
    if (event.event !== "rolled") continue;
    if (!back || isInView(event, view)) return { total: event.total, gains: gains ?? {} };
    if (!view?.dice) return { total: null, gains: {} };
    gains = undefined; // they were paid by a roll that does not count
  }
  return { total: null, gains: gains ?? {} };
}

function isInView({ dice, player }: EventOf<"rolled">, view: Pick<View, "dice" | "active"> | null): boolean {
  return view?.dice?.join() === dice.join() && view.active === player;
}
