import { describe, expect, test } from "vitest";
import { sampleEvent } from "../../testing/samples";
import {
  readMoment,
  eventsByTurn,
  findHighlights,
  rollAt,
  nextStop,
  nextTurn,
  turnAt,
  type Recording,
} from "./recording";

const recording: Recording = {
  steps: 8,
  turns: [
    { turn: 0, step: 0, player: null },
    { turn: 1, step: 3, player: "red" },
    { turn: 2, step: 6, player: "blue" },
  ],
  events: [
    [sampleEvent("game_began")],
    [sampleEvent("built", { player: "red", piece: "settlement" })],
    [],
    [sampleEvent("turn_began", { player: "red" })],
    [sampleEvent("rolled", { player: "red", total: 8 }), sampleEvent("produced", { gains: { red: { ore: 2 } } })],
    [
      sampleEvent("built", { player: "red", piece: "city" }),
      sampleEvent("award_moved", { award: "longest-road", player: "red", loser: null }),
    ],
    [sampleEvent("turn_ended", { player: "red" }), sampleEvent("turn_began", { player: "blue" })],
    [],
    [sampleEvent("rolled", { player: "blue", total: 7 })],
  ],
};

describe("stepping", () => {
  test("passes over steps at which nothing is seen", () => {
    expect([0, 1, 3, 6].map((step) => nextStop(recording, step, 1))).toEqual([1, 3, 4, 8]);
    expect([8, 3, 1].map((step) => nextStop(recording, step, -1))).toEqual([6, 1, 0]);
  });

  test("stays in the game", () => {
    expect([nextStop(recording, 0, -1), nextStop(recording, 8, 1)]).toEqual([0, 8]);
  });

  test("leaves a step at which nothing is seen in either way", () => {
    expect([nextStop(recording, 7, -1), nextStop(recording, 7, 1)]).toEqual([6, 8]);
  });
});

describe("turns", () => {
  test("belong to the steps from their beginning on", () => {
    expect([0, 2, 3, 5, 6, 8].map((step) => turnAt(recording, step))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("are gone through: on to the next, or the end", () => {
    expect([0, 3, 5, 6, 8].map((step) => nextTurn(recording, step, 1))).toEqual([3, 6, 6, 8, 8]);
  });

  test("are gone back through: first to the beginning of this one", () => {
    expect([8, 6, 4, 3, 1, 0].map((step) => nextTurn(recording, step, -1))).toEqual([6, 3, 3, 0, 0, 0]);
  });

  test("make the chapters of the log: each with everything from its beginning to its end", () => {
    const found = eventsByTurn(recording).map(({ lines }) => lines.map(({ step, event }) => `${step} ${event.event}`));
    expect(found).toEqual([
      ["0 game_began", "1 built"],
      ["4 rolled", "4 produced", "5 built", "5 award_moved", "6 turn_ended"],
      ["8 rolled"],
    ]);
  });
});

test("sevens, cities and awards stand out", () => {
  expect(findHighlights(recording)).toEqual([
    { step: 5, kind: "city", color: "red" },
    { step: 5, kind: "longest-road", color: "red" },
    { step: 8, kind: "seven", color: "blue" },
  ]);
});

describe("the last roll", () => {
  test("is that of this turn, with what everybody got", () => {
    expect(rollAt(recording, 5)).toEqual({ total: 8, gains: { red: { ore: 2 } } });
    expect(rollAt(recording, 8)).toEqual({ total: 7, gains: {} });
  });

  test("is none before the dice are rolled", () => {
    for (const step of [0, 2, 3, 6, 7]) expect(rollAt(recording, step).total).toBeNull();
  });
});

describe("the address", () => {
  test("asks for a moment and for eyes", () => {
    expect(readMoment("?step=120&eyes=red")).toEqual({ step: 120, eyes: "red" });
  });

  test.each(["", "?step=-3", "?step=x", "?step=1.5"])("%j asks for the beginning", (search) => {
    expect(readMoment(search)).toEqual({ step: 0, eyes: null });
  });
});
