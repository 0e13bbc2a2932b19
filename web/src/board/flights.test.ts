import { expect, it } from "vitest";
import type { BoardLine } from "../generated/protocol";
import type { GameEvent } from "../lib/table.svelte";
import type { View } from "../lib/view";
import { flightsOf, type Flight } from "./flights";

const board: BoardLine = {
  hexes: [
    { at: "A1", terrain: "forest", number: 8 },
    { at: "A2", terrain: "forest", number: 8 },
    { at: "C3", terrain: "pasture", number: 8 },
    { at: "D1", terrain: "forest", number: 5 },
  ],
  harbors: [],
};
const before = {
  robber: "A3",
  dice: null,
  players: [
    { color: "red", settlements: ["A1n", "B2se"], cities: ["A2n"] },
    { color: "blue", settlements: [], cities: [] },
  ],
} as unknown as View;

const short = ({ from, to, card, count }: Flight): string =>
  [from, to].map((stop) => ("place" in stop ? stop.place : stop.anchor)).join(">") + ` ${count} ${card}`;
const flown = (...events: GameEvent[]): string[] => flightsOf(events, board, before).map(short);

it("flies what a roll yields from the hexes that yield it: a city gets two", () => {
  const rolled = { event: "rolled", player: "red", dice: [4, 4], total: 8 };
  expect(flown(rolled, { event: "produced", gains: { red: { lumber: 3, wool: 1 } } })).toEqual([
    "A1>red 1 sign-lumber",
    "A2>red 2 sign-lumber",
    "C3>red 1 sign-wool",
  ]);
});

it("flies no more than the host has given, and what it cannot place from the supply", () => {
  const rolled = { event: "rolled", player: "red", dice: [4, 4], total: 8 };
  expect(flown(rolled, { event: "produced", gains: { red: { lumber: 2 }, blue: { ore: 1 } } })).toEqual([
    "A1>red 1 sign-lumber",
    "A2>red 1 sign-lumber",
    "supply>blue 1 sign-ore",
  ]);
});

it("shows a stolen card to those who know it, to others its back", () => {
  expect(flown({ event: "stole", player: "red", victim: "blue", card: "ore" })).toEqual(["blue>red 1 sign-ore"]);
  expect(flown({ event: "stole", player: "red", victim: "blue", card: null })).toEqual(["blue>red 1 card"]);
});

it("flies cards both ways in a trade", () => {
  expect(flown({ event: "traded", player: "red", partner: "blue", give: { ore: 1 }, take: { wool: 2 } })).toEqual([
    "red>blue 1 sign-ore",
    "blue>red 2 sign-wool",
  ]);
  expect(flown({ event: "supply_traded", player: "red", give: { ore: 4 }, take: { wool: 1 } })).toEqual([
    "red>supply 4 sign-ore",
    "supply>red 1 sign-wool",
  ]);
});

it("flies what is discarded, taken and bought", () => {
  expect(
    flown(
      { event: "discarded", player: "blue", cards: { wool: 4 } },
      { event: "monopolised", player: "red", resource: "ore", taken: { blue: 3 } },
      { event: "took_from_supply", player: "red", cards: { ore: 1, brick: 1 } },
      { event: "bought", player: "red", price: {} },
      { event: "turn_ended", player: "red" },
    ),
  ).toEqual([
    "blue>supply 4 sign-wool",
    "blue>red 3 sign-ore",
    "supply>red 1 sign-brick",
    "supply>red 1 sign-ore",
    "supply>red 1 card-development",
  ]);
});
