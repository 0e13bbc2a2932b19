import { describe, expect, test } from "vitest";
import { blockedByKind, bySource, ranking, total, type Kinds, type PlayerSummary, type Summary } from "./summary";

const kinds = (some: Partial<Kinds> = {}): Kinds => ({ brick: 0, lumber: 0, wool: 0, grain: 0, ore: 0, ...some });
const none = kinds();

function player(some: Partial<PlayerSummary>): PlayerSummary {
  return {
    name: "",
    points: 0,
    visible: 0,
    gained: { start: none, production: none, stolen: none, players: none, supply: none, "year-of-plenty": none, monopoly: none },
    lost: { spent: none, discarded: none, stolen: none, monopoly: none, players: none, supply: none },
    blocked: none,
    unplayed: { knight: 0, "victory-point": 0, "road-building": 0, "year-of-plenty": 0, monopoly: 0 },
    luck: { received: 0, expected: 0, spread: 0 },
    ...some,
  };
}

function game(red: Partial<PlayerSummary>, blue: Partial<PlayerSummary>): Summary {
  return {
    how: "won",
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
    expect(bySource(summary, "gained")).toEqual([
      { key: "monopoly", values: { red: 0, blue: 6 } },
      { key: "production", values: { red: 5, blue: 0 } },
      { key: "start", values: { red: 3, blue: 0 } },
    ]);
    expect(bySource(summary, "lost")).toEqual([]);
  });
});

test("what the robber kept back is told by kind, in the order of the kinds", () => {
  const summary = game({ blocked: kinds({ ore: 2 }) }, { blocked: kinds({ brick: 1 }) });
  expect(blockedByKind(summary).map(({ key }) => key)).toEqual(["brick", "ore"]);
});

test("the winner comes first, then whoever has more points, then the order of the seats", () => {
  const points = { red: 4, blue: 10, white: 10, orange: 4 };
  expect(ranking(["red", "blue", "white", "orange"], points, "white")).toEqual(["white", "blue", "red", "orange"]);
});

test("a total counts all kinds", () => {
  expect(total(kinds({ brick: 2, ore: 3 }))).toBe(5);
});
