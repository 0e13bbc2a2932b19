// Cards that fly: what happened, as cards on their way from a hex or somebody to somebody.

import { RESOURCES, type Cards } from "../../game/play/action";
import type { GameEvent } from "../../game/table.svelte";

/** A place of the board, or something in the page that is marked with data-anchor="red" or data-anchor="supply". */
export type Stop = { place: string } | { anchor: string };

export interface Flight {
  from: Stop;
  to: Stop;
  /** A drawing of the kit. */
  card: string;
  count: number;
}

const SUPPLY: Stop = { anchor: "supply" };

/** The flights for what happened. */
export function flightsOf(events: readonly GameEvent[]): Flight[] {
  return events.flatMap((event) => {
    const player: Stop = { anchor: String(event.player) };
    switch (event.event) {
      case "produced":
        return Object.entries(event.hexes as Record<string, Record<string, Cards>>).flatMap(([place, paid]) =>
          Object.entries(paid).flatMap(([color, gain]) => cards({ place }, { anchor: color }, gain)),
        );
      case "start_cards":
      case "took_from_supply":
        return cards(SUPPLY, player, event.cards as Cards);
      case "discarded":
        return cards(player, SUPPLY, event.cards as Cards);
      case "supply_traded":
        return [...cards(player, SUPPLY, event.give as Cards), ...cards(SUPPLY, player, event.take as Cards)];
      case "traded": {
        const partner: Stop = { anchor: String(event.partner) };
        return [...cards(player, partner, event.give as Cards), ...cards(partner, player, event.take as Cards)];
      }
      case "stole": {
        const card = event.card ? `sign-${String(event.card)}` : "card";
        return [{ from: { anchor: String(event.victim) }, to: player, card, count: 1 }];
      }
      case "monopolised":
        return Object.entries(event.taken as Record<string, number>).flatMap(([color, count]) =>
          cards({ anchor: color }, player, { [String(event.resource)]: count }),
        );
      case "bought":
        return [{ from: SUPPLY, to: player, card: "card-development", count: 1 }];
      default:
        return [];
    }
  });
}

function cards(from: Stop, to: Stop, given: Cards): Flight[] {
  return RESOURCES.filter((kind) => given[kind]).map((kind) => ({
    from,
    to,
    card: `sign-${kind}`,
    count: given[kind] ?? 0,
  }));
}
