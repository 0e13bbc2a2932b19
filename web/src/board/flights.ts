// Cards that fly: what happened, as cards on their way from a hex or somebody to somebody.

import type { BoardLine } from "../generated/protocol";
import { RESOURCES, type Cards, type Resource } from "../lib/action";
import { CORNERS } from "../lib/geometry";
import type { GameEvent } from "../lib/table.svelte";
import type { View } from "../lib/view";

/** A place of the board, or something in the page that is marked with data-anchor="red" or data-anchor="supply". */
export type Stop = { place: string } | { anchor: string };

export interface Flight {
  from: Stop;
  to: Stop;
  /** A drawing of the kit. */
  card: string;
  count: number;
}

const YIELDS: Record<string, Resource> = {
  hills: "brick",
  forest: "lumber",
  pasture: "wool",
  fields: "grain",
  mountains: "ore",
};
const SUPPLY: Stop = { anchor: "supply" };

/** The flights for what happened; `before` is the game before it, for what a roll yields. */
export function flightsOf(events: readonly GameEvent[], board: BoardLine, before: View | null): Flight[] {
  let total = before?.dice ? before.dice[0] + before.dice[1] : 0;
  return events.flatMap((event) => {
    const player: Stop = { anchor: String(event.player) };
    switch (event.event) {
      case "rolled":
        total = Number(event.total);
        return [];
      case "produced":
        return Object.entries(event.gains as Record<string, Cards>).flatMap(([color, gain]) =>
          RESOURCES.flatMap((kind) => yielded(board, before, total, color, kind, gain[kind] ?? 0)),
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

/** What somebody got of a kind, from the hexes it came from; how much it is was said by the host. */
function yielded(
  board: BoardLine,
  before: View | null,
  total: number,
  color: string,
  kind: Resource,
  count: number,
): Flight[] {
  const player = before?.players.find((one) => one.color === color);
  const flights: Flight[] = [];
  let left = count;
  for (const { at, terrain, number } of board.hexes) {
    if (number !== total || YIELDS[terrain] !== kind || at === before?.robber) continue;
    const beside = (corners: readonly string[]): number =>
      corners.filter((corner) => CORNERS.get(corner)?.hexes.includes(at)).length;
    const here = Math.min(left, beside(player?.settlements ?? []) + 2 * beside(player?.cities ?? []));
    if (here) flights.push({ from: { place: at }, to: { anchor: color }, card: `sign-${kind}`, count: here });
    left -= here;
  }
  return left ? [...flights, ...cards(SUPPLY, { anchor: color }, { [kind]: left })] : flights;
}
