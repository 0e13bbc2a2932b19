// Which offer answers which, and who has made another offer instead: told by what happened in this turn, for everybody.

import type { Color } from "../generated/protocol";
import { endsOffer } from "../game/live/events";
import type { LogLine } from "../game/live/logLines";

export interface Negotiation {
  /** The number of the offer that it answers. */
  answers: number | null;
  /** Who has said no to it with another offer. */
  counters: readonly Color[];
}

/** The open offers by number; numbers are used again, but only when an offer has ended. */
export function negotiations(log: readonly LogLine[]): Map<number, Negotiation> {
  const begun = log.findLastIndex((line) => line.kind === "event" && line.event.event === "turn_began");
  const open = new Map<number, Negotiation>();
  for (const line of log.slice(begun + 1)) {
    if (line.kind !== "event") continue;
    const { event } = line;
    if (event.event === "offer_made") {
      const { number, answers, player } = event;
      open.set(number, { answers, counters: [] });
      const answered = answers === null ? undefined : open.get(answers);
      if (answers !== null && answered)
        open.set(answers, { ...answered, counters: [...without(answered, player), player] });
    } else if (event.event === "offer_answered") {
      const negotiation = open.get(event.number);
      if (negotiation) open.set(event.number, { ...negotiation, counters: without(negotiation, event.player) });
    } else if (endsOffer(event)) {
      const { number } = event;
      open.delete(number);
      for (const [other, negotiation] of open)
        if (negotiation.answers === number) open.set(other, { ...negotiation, answers: null });
    }
  }
  return open;
}

function without({ counters }: Negotiation, player: Color): Color[] {
  return counters.filter((color) => color !== player);
}
