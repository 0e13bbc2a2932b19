// The players of a table by the names they are known by.

import type { SeatLine } from "../generated/protocol";
import { botName, colorName } from "../lib/speech.svelte";
import type { Person } from "./summary";

/** Everybody by their name; those who have no name of their own are called by their colour. */
export function people(seats: readonly SeatLine[]): Person[] {
  const names = seats.map((seat) => (seat.kind === "bot" ? botName(seat.player ?? "") : (seat.name ?? "")));
  return seats.map(({ color }, i) => {
    const name = names[i] ?? "";
    const own = name !== "" && names.filter((other) => other === name).length === 1;
    return { color, name: own ? name : colorName(color) };
  });
}
