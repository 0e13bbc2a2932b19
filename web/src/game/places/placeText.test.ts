import { describe, expect, it } from "vitest";
import germanWords from "@words/de.toml";
import englishWords from "@words/en.toml";
import type { BoardLine } from "../../generated/protocol";
import vocabulary from "../../generated/vocabulary.json";
import german from "../../words/data/de.toml";
import english from "../../words/data/en.toml";
import { CORNERS, HEXES, SIDES } from "./geometry";
import { Places, standing, type Voice } from "./placeText";
import { Book } from "../../words/pageTexts";
import type { PlayerView, View } from "../../lib/view";
import { Words, type Catalogue } from "../../words/catalogue";

function voice(language: "en" | "de", edition: string): Voice {
  const book = new Book(language === "en" ? english : german, language);
  const words = new Words((language === "en" ? englishWords : germanWords) as unknown as Catalogue, vocabulary);
  const term = (name: string): string => words.term(name, edition);
  return {
    t: (key, values = {}) => book.text(key, values, term),
    term,
    color: (name) => words.value(name, edition),
    list: (items) => new Intl.ListFormat(language === "en" ? "en-GB" : "de").format(items),
  };
}

// A board on which every number tells where one is: A1 is forest 2, the desert is in the middle.
const TERRAINS = ["forest", "fields", "hills", "pasture", "mountains"];
const board: BoardLine = {
  hexes: [...HEXES.keys()].map((at, i) =>
    at === "C3" ? { at, terrain: "desert", number: null } : { at, terrain: TERRAINS[i % 5] ?? "", number: (i % 11) + 2 },
  ),
  harbors: [
    { corners: ["A1nw", "A1n"], kind: null, rate: 3 },
    { corners: ["A2n", "A2ne"], kind: "grain", rate: 2 },
  ],
};

const player = (color: string, rest: Partial<PlayerView>): PlayerView => ({
  color,
  points: 0,
  hand: 0,
  cards: 0,
  played: {},
  settlements: [],
  cities: [],
  roads: [],
  road_length: 0,
  left: { road: 15, settlement: 5, city: 4 },
  ...rest,
});

const view = {
  robber: "C3",
  players: [
    player("red", { settlements: ["B2se"], roads: ["C3/ne"] }),
    player("blue", { cities: ["A1n"], roads: ["A1/nw", "A1/ne"] }),
  ],
} as unknown as View;

const places = new Places(board, voice("en", "fifth"));

describe("a place in words", () => {
  it("is a hex with its number, the desert without", () => {
    expect(places.name("A1")).toBe("forest 2");
    expect(places.name("C3")).toBe("desert");
  });

  it("is a corner by the hexes around it, and the sea", () => {
    expect(places.name("B2se")).toBe("corner of mountains 6, forest 7 and desert");
    expect(places.name("A1sw")).toBe("corner of forest 2, pasture 5 and the sea");
  });

  it("has a direction on the rim, where a hex has several such corners", () => {
    expect(places.name("A1n")).toBe("north corner of forest 2, on the coast, 3:1 harbor");
    expect(places.name("A1/w")).toBe("west path of forest 2, on the coast");
  });

  it("has the harbor's kind in the words of the edition", () => {
    expect(places.name("A2ne")).toContain("2:1 harbor for grain");
    expect(new Places(board, voice("en", "sixth")).name("A2ne")).toContain("2:1 port for wheat");
  });

  it("is a side between two hexes", () => {
    expect(places.name("A1/e")).toBe("path between forest 2 and fields 3");
    expect(new Places(board, voice("en", "zip")).name("A1/e")).toBe("edge between forest 2 and fields 3");
  });

  it("is told apart from every other place on this board", () => {
    const names = [...HEXES.keys(), ...CORNERS.keys(), ...SIDES.keys()].map((place) => places.name(place));
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual([]);
  });

  it("says what stands there, and whose it is", () => {
    expect(places.spoken("B2se", view, null)).toMatch(/; red settlement$/);
    expect(places.spoken("B2se", view, "red")).toMatch(/; your settlement$/);
    expect(places.spoken("C3", view, "red")).toBe("desert; your settlement and the robber");
    expect(places.spoken("A1/ne", view, "red")).toMatch(/; blue road$/);
    expect(places.spoken("E1", view, "red")).toBe(places.name("E1"));
  });

  it("has its short name before it when names are wanted", () => {
    expect(places.spoken("C3", null, null, true)).toBe("C3: desert");
  });

  it("is said in German", () => {
    const orte = new Places(board, voice("de", "fifth"));
    expect(orte.spoken("A1n", view, "red")).toBe("Ecke im Norden von Wald 2, an der Küste, Hafen 3:1; Stadt von Blau");
    expect(orte.name("A1sw")).toBe("Ecke zwischen Wald 2, Weideland 5 und dem Meer");
  });
});

describe("the whole board in words", () => {
  it("has all hexes row by row, the harbors, the robber and what everybody has built", () => {
    const told = places.told(view, "red");
    expect(told.map(({ lines }) => lines.length)).toEqual([5, 2, 1, 2, 2]);
    expect(told[0]?.lines[0]).toBe("A1: forest 2, A2: fields 3, A3: hills 4");
    expect(told[1]?.lines[0]).toContain("A1/nw");
    expect(told[2]?.lines).toEqual(["C3: desert"]);
    expect(told[3]?.title).toBe("You");
    expect(told[4]?.title).toBe("Blue");
    expect(told[4]?.lines.join()).toContain("A1n");
  });

  it("is the bare board before a game", () => {
    expect(places.told(null, null)).toHaveLength(2);
  });
});

it("finds what stands where", () => {
  expect(standing(view).get("A1n")).toEqual({ kind: "city", color: "blue" });
  expect(standing(view).size).toBe(5);
  expect(standing(null).size).toBe(0);
});
