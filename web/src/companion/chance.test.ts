import { describe, expect, it } from "vitest";
import type { ChanceQuestion, Color, Projection } from "../generated/protocol";
import type { SeatInfo, TableInfo } from "../net/received";
import { speechOf } from "../testing/english";
import { questionFor, awaitedText, begunText } from "./chance";

const SEATS = [
  { color: "red", kind: "person", name: "Ann" },
  { color: "blue", kind: "bot", name: "easy" },
] as SeatInfo[];

/** A table that waits, through some eyes. */
function seen(ownColor: Color | null, prompt: object, chance: Partial<ChanceQuestion> | null, more: object = {}) {
  const info = { chance: "people", seats: SEATS, ...more } as TableInfo;
  const projection = { prompt, chance } as unknown as Projection;
  return { ownColor, info, projection, paused: info.paused ?? false };
}

const dice = (player: Color, to: string | null) => ({ ask: "dice", player, to });
const theft = { ask: "theft", player: "red", players: ["blue"] };

const speech = speechOf({ editionName: "sixth", seats: SEATS });

describe("the dice", () => {
  it("are asked at every seat and on the screen for all, and not of those who only watch", () => {
    for (const [ownColor, creator, mine] of [
      ["red", false, true],
      [null, true, true],
      [null, false, false],
    ] as const) {
      const table = seen(ownColor, dice("red", ownColor), { kind: "dice", player: "red" });
      expect(questionFor(table, creator) !== null).toBe(mine);
      expect(awaitedText(table, creator, speech)).toMatch(mine ? /Which numbers came up/ : /Waiting for the table/);
    }
  });

  it("are rolled for a bot by somebody else", () => {
    expect(awaitedText(seen("red", dice("blue", "red"), { kind: "dice", player: "blue" }), false, speech)).toMatch(
      /^Roll for blue: /i,
    );
  });

  it("are asked before anybody says that they roll: whoever is on turn reads what else may be done, the others who it is", () => {
    const question = { kind: "dice", player: "red" } as const;
    const roll = { ask: "roll", to: "red", cards: ["knight"] };
    expect(awaitedText(seen("red", roll, question), false, speech)).toBe(
      "Roll the dice, or play a Knight first. Which numbers came up?",
    );
    const others = seen(null, { ask: "wait", to: null, players: ["red"] }, question);
    expect(awaitedText(others, true, speech)).toBe("Ann rolls the dice. Which numbers came up?");
    expect(awaitedText(others, false, speech)).toBe("Ann rolls the dice. Waiting for the table to enter the numbers.");
    expect(begunText(others, speech)).toBe("");
  });

  it("are awaited by those the host does not ask, who have resigned", () => {
    const resigned = seen("blue", dice("red", "blue"), null);
    expect(questionFor(resigned, false)).toBeNull();
    expect(awaitedText(resigned, false, speech)).toBe(
      "Ann rolls the dice. Waiting for the table to enter the numbers.",
    );
  });

  it("wait while the game is paused", () => {
    expect(questionFor(seen("red", dice("red", "red"), { kind: "dice" }, { paused: true }), false)).toBeNull();
  });
});

it("a roll in a turn is something begun that can be taken back; a roll for the start is not", () => {
  expect(begunText(seen("red", dice("red", "red"), { kind: "dice" }), speech)).not.toBe("");
  expect(begunText(seen("red", { ask: "start_roll", player: "red", to: "red" }, { kind: "dice" }), speech)).toBe("");
});

describe("a card", () => {
  it("is asked of the one the host asks; all others read whom they wait for", () => {
    expect(awaitedText(seen("red", { ...theft, to: "red" }, { kind: "stolen" }), false, speech)).toMatch(
      /Only you see this/,
    );
    const others = seen(null, theft, null);
    expect(questionFor(others, true)).toBeNull();
    expect(awaitedText(others, true, speech)).toMatch(/Waiting for Ann to enter/);
  });
});

it("says nothing where the host deals, nor where nothing is left to chance", () => {
  expect(awaitedText(seen("red", dice("red", "red"), null, { chance: "host" }), false, speech)).toBe("");
  expect(awaitedText(seen("red", { ask: "roll", to: "red" }, null), false, speech)).toBe("");
});
