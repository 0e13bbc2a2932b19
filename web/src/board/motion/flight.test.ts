import { expect, it } from "vitest";
import type { GameEvent } from "../../generated/protocol";
import { flightsOf, type Flight } from "./flight";

const short = ({ from, to, card, count }: Flight): string =>
  [from, to].map((stop) => ("place" in stop ? stop.place : stop.anchor)).join(">") + ` ${count} ${card}`;
const flown = (...events: GameEvent[]): string[] => flightsOf(events).map(short);

it("flies what a roll pays from the hexes that the host says", () => {
  const gains = { red: { lumber: 3, wool: 1 }, blue: { lumber: 1 } };
  const hexes = {
    A1: { red: { lumber: 1 } },
    A2: { red: { lumber: 2 }, blue: { lumber: 1 } },
    C3: { red: { wool: 1 } },
  };
  expect(
    flown({ event: "rolled", player: "red", dice: [4, 4], total: 8 }, { event: "produced", gains, hexes }),
  ).toEqual(["A1>red 1 sign-lumber", "A2>red 2 sign-lumber", "A2>blue 1 sign-lumber", "C3>red 1 sign-wool"]);
});

it("shows a stolen card to those who know it, to others its back", () => {
  expect(flown({ event: "stole", player: "red", victim: "blue", card: "ore" })).toEqual(["blue>red 1 sign-ore"]);
  expect(flown({ event: "stole", player: "red", victim: "blue", card: null })).toEqual(["blue>red 1 card"]);
});

it("flies cards both ways in a trade", () => {
  expect(
    flown({ event: "traded", number: 1, player: "red", partner: "blue", give: { ore: 1 }, take: { wool: 2 } }),
  ).toEqual(["red>blue 1 sign-ore", "blue>red 2 sign-wool"]);
  expect(flown({ event: "supply_traded", player: "red", give: { ore: 4 }, take: { wool: 1 }, rate: 4 })).toEqual([
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
