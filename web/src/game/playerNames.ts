// What the players at a table are called, so that nobody is taken for somebody else.

import type { SeatLine } from "../generated/protocol";
import type { PlayerNames } from "../words/catalogue";

type Sitting = Pick<SeatLine, "color" | "kind" | "name">;

/** The name that a person has given; bots have none of their own, and are called by their color. */
export function personName(seat: Sitting | undefined): string {
  return (seat?.kind === "person" && seat.name) || "";
}

/**
 * People by color with their names. A name that two people have, or that is one of the words for somebody else
 * (`taken`: "you", "blue"), is told together with the color.
 */
export function namesAt(
  seats: readonly Sitting[],
  taken: readonly string[],
  together: (name: string, color: string) => string,
): PlayerNames {
  const people = seats.map((seat) => ({ color: seat.color, name: personName(seat) })).filter(({ name }) => name);
  const said = [...taken, ...people.map(({ name }) => name)].map(plain);
  const unclear = (name: string): boolean => said.filter((one) => one === plain(name)).length > 1;
  return Object.fromEntries(people.map(({ color, name }) => [color, unclear(name) ? together(name, color) : name]));
}

/** A name as one hears it. */
function plain(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
