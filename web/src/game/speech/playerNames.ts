// What the players at a table are called, so that nobody is taken for somebody else.

import type { Color } from "../../generated/protocol";
import type { SeatInfo } from "../../net/received";
import type { PlayerNames } from "../../words/catalogue";

type Sitting = Pick<SeatInfo, "color" | "kind" | "name">;

/** The name that a person has given; bots have none of their own, and are called by their color. */
export function personName(seat: Sitting | undefined): string {
  return (seat?.kind === "person" && seat.name) || "";
}

/**
 * People by color with their names. A name that two people have, or that is one of the words for somebody else
 * (`reserved`: "you", "blue"), is told together with the color.
 */
export function namesAt(
  seats: readonly Sitting[],
  reserved: readonly string[],
  together: (name: string, color: Color) => string,
): PlayerNames {
  const people = seats.map((seat) => ({ color: seat.color, name: personName(seat) })).filter(({ name }) => name);
  const names = [...reserved, ...people.map(({ name }) => name)].map(plain);
  const unclear = (name: string): boolean => names.filter((other) => other === plain(name)).length > 1;
  return Object.fromEntries(people.map(({ color, name }) => [color, unclear(name) ? together(name, color) : name]));
}

/** A name as one hears it. */
function plain(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
