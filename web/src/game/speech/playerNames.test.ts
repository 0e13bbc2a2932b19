import { describe, expect, it } from "vitest";
import type { Color } from "../../generated/protocol";
import { namesAt } from "./playerNames";

const person = (color: Color, name: string) => ({ color, name, kind: "person" as const });
const bot = (color: Color) => ({ color, name: "easy", kind: "bot" as const });
const named = (...seats: Parameters<typeof namesAt>[0][number][]) =>
  namesAt(seats, ["you", "red", "blue", "white"], (name, color) => `${name} (${color})`);

describe("what players are called", () => {
  it("is their name; bots have their color", () => {
    expect(named(person("red", "Ann"), person("blue", "Ben"), bot("white"))).toEqual({ red: "Ann", blue: "Ben" });
  });

  it("has the color where two have the same name, however they write it", () => {
    const said = named(person("red", "Ben"), person("blue", " ben"), person("white", "Cleo"));
    expect(said).toEqual({ red: "Ben (red)", blue: " ben (blue)", white: "Cleo" });
  });

  it("is never a word for somebody else", () => {
    expect(named(person("red", "Blue"), person("blue", "You"))).toEqual({ red: "Blue (red)", blue: "You (blue)" });
  });
});
