// Cards that fly: what happened, as cards on their way from a hex or somebody to somebody.

import type { Cards, Color } from "../../generated/protocol";
import type { AnchorName } from "../../app/pageParts";
import type { TableEvent } from "../../game/live/events";
import { colorEntries } from "../../net/colors";
import { RESOURCES } from "../../generated/names";

/** A place of the board, or something in the page that is marked with data-anchor="red" or data-anchor="supply". */
export type FlightEnd = { place: string } | { anchor: AnchorName };

export interface Flight {
  from: FlightEnd;
  to: FlightEnd;
  /** A drawing of the kit. */
  card: string;
  count: number;
}

const SUPPLY: FlightEnd = { anchor: "supply" };

/** The flights for what happened. */
export function flightsOf(events: readonly TableEvent[]): Flight[] {
  return events.flatMap((event) => {
    switch (event.event) {
      case "produced":
        return Object.entries(event.hexes).flatMap(([place, paid]) =>
          colorEntries(paid).flatMap(([color, gain]) => cards({ place }, at(color), gain)),
        );
      case "start_cards":
      case "took_from_supply":
        return cards(SUPPLY, at(event.player), event.cards);
      case "discarded":
        return cards(at(event.player), SUPPLY, event.cards);
      case "supply_traded":
        return [...cards(at(event.player), SUPPLY, event.give), ...cards(SUPPLY, at(event.player), event.take)];
      case "traded": {
        const [player, partner] = [at(event.player), at(event.partner)];
        return [...cards(player, partner, event.give), ...cards(partner, player, event.take)];
      }
      case "stole": {
        const card = event.card ? `sign-${event.card}` : "card";
        return [{ from: at(event.victim), to: at(event.player), card, count: 1 }];
      }
      case "monopolised":
        return colorEntries(event.taken).flatMap(([color, count]) =>
          cards(at(color), at(event.player), { [event.resource]: count }),
        );
      case "bought":
        return [{ from: SUPPLY, to: at(event.player), card: "card-development", count: 1 }];
      default:
        return [];
    }
  });
}

function at(color: Color): FlightEnd {
  return { anchor: color };
}

function cards(from: FlightEnd, to: FlightEnd, given: Cards): Flight[] {
  return RESOURCES.filter((kind) => given[kind]).map((kind) => ({
    from,
    to,
    card: `sign-${kind}`,
    count: given[kind] ?? 0,
  }));
}
