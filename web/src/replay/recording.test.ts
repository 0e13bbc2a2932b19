import { describe, expect, test } from "vitest";
import { asked, chapters, highlights, lastRoll, stop, turn, turnAt, type Story } from "./recording";

const story: Story = {
  steps: 8,
  turns: [
    { turn: 0, step: 0, player: null },
    { turn: 1, step: 3, player: "red" },
    { turn: 2, step: 6, player: "blue" },
  ],
  events: [
    [{ event: "game_began" }],
    [{ event: "built", player: "red", piece: "settlement" }],
    [],
    [{ event: "turn_began", player: "red" }],
    [
      { event: "rolled", player: "red", total: 8 },
      { event: "produced", gains: { red: { ore: 2 } } },
    ],
    [
      { event: "built", player: "red", piece: "city" },
      { event: "award_moved", award: "longest-road", player: "red", loser: null },
    ],
    [
      { event: "turn_ended", player: "red" },
      { event: "turn_began", player: "blue" },
    ],
    [],
    [{ event: "rolled", player: "blue", total: 7 }],
  ],
};

describe("stepping", () => {
  test("passes over steps at which nothing is seen", () => {
    expect([0, 1, 3, 6].map((step) => stop(story, step, 1))).toEqual([1, 3, 4, 8]);
    expect([8, 3, 1].map((step) => stop(story, step, -1))).toEqual([6, 1, 0]);
  });

  test("stays in the game", () => {
    expect([stop(story, 0, -1), stop(story, 8, 1)]).toEqual([0, 8]);
  });

  test("leaves a step at which nothing is seen in either way", () => {
    expect([stop(story, 7, -1), stop(story, 7, 1)]).toEqual([6, 8]);
  });
});

describe("turns", () => {
  test("belong to the steps from their beginning on", () => {
    expect([0, 2, 3, 5, 6, 8].map((step) => turnAt(story, step))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("are gone through: on to the next, or the end", () => {
    expect([0, 3, 5, 6, 8].map((step) => turn(story, step, 1))).toEqual([3, 6, 6, 8, 8]);
  });

  test("are gone back through: first to the beginning of this one", () => {
    expect([8, 6, 4, 3, 1, 0].map((step) => turn(story, step, -1))).toEqual([6, 3, 3, 0, 0, 0]);
  });

  test("make the chapters of the log: each with everything from its beginning to its end", () => {
    const found = chapters(story).map(({ lines }) => lines.map(({ step, event }) => `${step} ${event.event}`));
    expect(found).toEqual([
      ["0 game_began", "1 built"],
      ["4 rolled", "4 produced", "5 built", "5 award_moved", "6 turn_ended"],
      ["8 rolled"],
    ]);
  });
});

test("sevens, cities and awards stand out", () => {
  expect(highlights(story)).toEqual([
    { step: 5, kind: "city", color: "red" },
    { step: 5, kind: "longest-road", color: "red" },
    { step: 8, kind: "seven", color: "blue" },
  ]);
});

describe("the last roll", () => {
  test("is that of this turn, with what everybody got", () => {
    expect(lastRoll(story, 5)).toEqual({ rolled: 8, gains: { red: { ore: 2 } } });
    expect(lastRoll(story, 8)).toEqual({ rolled: 7, gains: {} });
  });

  test("is none before the dice are rolled", () => {
    for (const step of [0, 2, 3, 6, 7]) expect(lastRoll(story, step).rolled).toBeNull();
  });
});

describe("the address", () => {
  test("asks for a moment and for eyes", () => {
    expect(asked("?step=120&eyes=red")).toEqual({ step: 120, eyes: "red" });
  });

  test.each(["", "?step=-3", "?step=x", "?step=1.5"])("%j asks for the beginning", (search) => {
    expect(asked(search)).toEqual({ step: 0, eyes: null });
  });
});
