import { describe, expect, test } from "vitest";
import type { PlayerSummary, ResourceCounts, Summary } from "../generated/protocol";
import { segmentsBlocked, segmentsBySource, rankPlayers } from "./summary";

const kinds = (some: Partial<ResourceCounts> = {}): ResourceCounts => ({
  brick: 0,
  lumber: 0,
  wool: 0,
  grain: 0,
  ore: 0,
  ...some,
});
const none = kinds();

function player(some: Partial<PlayerSummary>): PlayerSummary {
  return {
    name: "",
    points: 0,
    visible: 0,
    turns: 0,
    hand: none,
    unpaid: none,
    built: { road: 0, settlement: 0, city: 0 },
    bought: 0,
    played: { knight: 0, "victory-point": 0, "road-building": 0, "year-of-plenty": 0, monopoly: 0 },
    trades: {},
    supply_trades: 0,
    gained: {
      start: none,
      production: none,
      stolen: none,
      players: none,
      supply: none,
      "year-of-plenty": none,
      monopoly: none,
    },
    lost: { spent: none, discarded: none, stolen: none, monopoly: none, players: none, supply: none },
    blocked: none,
    unplayed: { knight: 0, "victory-point": 0, "road-building": 0, "year-of-plenty": 0, monopoly: 0 },
    luck: { received: 0, expected: 0, spread: 0 },
    ...some,
  };
}

function game(red: Partial<PlayerSummary>, blue: Partial<PlayerSummary>): Summary {
  return {
    edition: "sixth",
    how: "won",
    length: 0,
    steps: 0,
    decisions: 0,
    visible: {},
    awards: [],
    winner: "red",
    dice: { rolls: 0, sums: [], by_player: {}, balanced: false },
    players: { red: player(red), blue: player(blue) },
    turns: [],
    points: {},
  };
}

describe("cards by source", () => {
  const gained = player({}).gained;
  const summary = game(
    { gained: { ...gained, start: kinds({ ore: 3 }), production: kinds({ wool: 4, ore: 1 }) } },
    { gained: { ...gained, monopoly: kinds({ grain: 6 }) } },
  );

  test("are counted for everybody, most first, without those nobody had", () => {
    expect(segmentsBySource(summary, "gained")).toEqual([
      { key: "monopoly", values: { red: 0, blue: 6 } },
      { key: "production", values: { red: 5, blue: 0 } },
      { key: "start", values: { red: 3, blue: 0 } },
    ]);
    expect(segmentsBySource(summary, "lost")).toEqual([]);
  });
});

test("what the robber kept back is told by kind, in the order of the kinds", () => {
  const summary = game({ blocked: kinds({ ore: 2 }) }, { blocked: kinds({ brick: 1 }) });
  expect(segmentsBlocked(summary).map(({ key }) => key)).toEqual(["brick", "ore"]);
});

test("the winner comes first, then whoever has more points, then the order of the seats", () => {
  const points = { red: 4, blue: 10, white: 10, orange: 4 };
  expect(rankPlayers(["red", "blue", "white", "orange"], points, "white")).toEqual(["white", "blue", "red", "orange"]);
});
