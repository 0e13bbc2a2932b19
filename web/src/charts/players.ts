// The players of a table by the names they are called by.

import type { SeatLine } from "../generated/protocol";
import type { Speech } from "../game/speech.svelte";
import type { ChartPlayer } from "./summary";

/** Everybody by their name; those who have no name of their own are called by their color. */
export function chartPlayers(seats: readonly SeatLine[], called: Speech["called"]): ChartPlayer[] {
  return seats.map(({ color }) => ({ color, name: called(color) }));
}
