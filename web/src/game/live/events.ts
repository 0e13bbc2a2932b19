// What happened at a table, for those who watch it.

import type { Color, GameEvent, Prompt } from "../../generated/protocol";

/** The last steps were taken back; the host says so as a change of the table. */
export interface TookBack {
  event: "took_back";
}

/** An event of the game, or that some were taken back. */
export type TableEvent = GameEvent | TookBack;

/** An event of one kind, or of several. */
export type EventOf<Kind extends GameEvent["event"]> = Extract<GameEvent, { event: Kind }>;

/** A prompt of one kind, or of several. */
export type PromptOf<Ask extends Prompt["ask"]> = Extract<Prompt, { ask: Ask }>;

/** An offer has ended with it. */
export type OfferEnd = EventOf<"offer_closed" | "offer_withdrawn" | "traded">;

export function endsOffer(event: TableEvent): event is OfferEnd {
  return event.event === "offer_closed" || event.event === "offer_withdrawn" || event.event === "traded";
}

/** Who did it; null: nobody in particular. */
export function doerOf(event: TableEvent): Color | null {
  return "player" in event ? event.player : null;
}

/** The places that it speaks of. */
export function placesOf(event: GameEvent): string[] {
  if (event.event === "built") return [event.place];
  return event.event === "robber_moved" ? [event.hex, event.left] : [];
}
