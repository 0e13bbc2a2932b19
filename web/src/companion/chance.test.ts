import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Projection, Question, SeatLine, TableLine } from "../generated/protocol";
import { speech } from "../game/speech.svelte";
import { asked, awaited, begun } from "./chance";

const SEATS = [
  { color: "red", kind: "person", name: "Ann" },
  { color: "blue", kind: "bot", name: "easy" },
] as SeatLine[];

/** A table that waits, through some eyes. */
function seen(seat: string | null, prompt: object, chance: Partial<Question> | null, more: object = {}) {
  const table = { chance: "people", seats: SEATS, ...more } as TableLine;
  const projection = { prompt, chance } as unknown as Projection;
  return { seat, table, projection, paused: table.paused ?? false };
}

const dice = (player: string, to: string | null) => ({ ask: "dice", player, to });
const theft = { ask: "theft", player: "red", players: ["blue"] };

beforeEach(() => {
  speech.seats = SEATS;
});
afterEach(() => {
  speech.seats = [];
});

describe("the dice", () => {
  it("are asked at every seat and on the screen for all, and not of those who only watch", () => {
    for (const [seat, creator, mine] of [["red", false, true], [null, true, true], [null, false, false]] as const) {
      const table = seen(seat, dice("red", seat), { kind: "dice", player: "red" });
      expect(asked(table, creator) !== null).toBe(mine);
      expect(awaited(table, creator)).toMatch(mine ? /Which numbers came up/ : /Waiting for the table/);
    }
  });

  it("are rolled for a bot by somebody else", () => {
    expect(awaited(seen("red", dice("blue", "red"), { kind: "dice", player: "blue" }), false)).toMatch(/^Roll for blue: /i);
  });

  it("are asked before anybody says that they roll: whoever is on turn reads what else may be done, the others who it is", () => {
    const question = { kind: "dice", player: "red" } as const;
    const roll = { ask: "roll", to: "red", cards: ["knight"] };
    expect(awaited(seen("red", roll, question), false)).toBe(
      "Roll the dice, or play a Knight first. Which numbers came up?",
    );
    const others = seen(null, { ask: "wait", to: null, players: ["red"] }, question);
    expect(awaited(others, true)).toBe("Ann rolls the dice. Which numbers came up?");
    expect(awaited(others, false)).toBe("Ann rolls the dice. Waiting for the table to enter the numbers.");
    expect(begun(others)).toBe("");
  });

  it("are awaited by those the host does not ask, who have resigned", () => {
    const resigned = seen("blue", dice("red", "blue"), null);
    expect(asked(resigned, false)).toBeNull();
    expect(awaited(resigned, false)).toBe("Ann rolls the dice. Waiting for the table to enter the numbers.");
  });

  it("wait while the game is paused", () => {
    expect(asked(seen("red", dice("red", "red"), { kind: "dice" }, { paused: true }), false)).toBeNull();
  });
});

it("a roll in a turn is something begun that can be taken back; a roll for the start is not", () => {
  expect(begun(seen("red", dice("red", "red"), { kind: "dice" }))).not.toBe("");
  expect(begun(seen("red", { ask: "start_roll", player: "red", to: "red" }, { kind: "dice" }))).toBe("");
});

describe("a card", () => {
  it("is asked of the one the host asks; all others read whom they wait for", () => {
    expect(awaited(seen("red", { ...theft, to: "red" }, { kind: "stolen" }), false)).toMatch(/Only you see this/);
    const others = seen(null, theft, null);
    expect(asked(others, true)).toBeNull();
    expect(awaited(others, true)).toMatch(/Waiting for Ann to enter/);
  });
});

it("says nothing where the host deals, nor where nothing is left to chance", () => {
  expect(awaited(seen("red", dice("red", "red"), null, { chance: "host" }), false)).toBe("");
  expect(awaited(seen("red", { ask: "roll", to: "red" }, null), false)).toBe("");
});
