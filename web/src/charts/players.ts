// The players of a table by the names they are called by.

import type { SeatLine } from "../generated/protocol";
import { called } from "../game/speech.svelte";
import type { Person } from "./summary";

/** Everybody by their name; those who have no name of their own are called by their colour. */
export function people(seats: readonly SeatLine[]): Person[] {
  return seats.map(({ color }) => ({ color, name: called(color) }));
}
