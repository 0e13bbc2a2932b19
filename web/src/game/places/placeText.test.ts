import { describe, expect, it } from "vitest";
import germanWords from "@catalogues/de.toml";
import englishWords from "@catalogues/en.toml";
import type { BoardLine, Color, PlayerView, View } from "../../generated/protocol";
import vocabulary from "../../generated/vocabulary.json";
import german from "../../words/data/de.toml";
import english from "../../words/data/en.toml";
import { ISLAND } from "../../testing/island";
import { PlaceText, piecesOn, type PlaceWords } from "./placeText";
import { PageTexts } from "../../words/pageTexts";
import { Words } from "../../words/catalogue";

function voice(language: "en" | "de", edition: string): PlaceWords {
  const book = new PageTexts(language === "en" ? english : german, language);
  const words = language === "en" ? new Words(englishWords, vocabulary) : new Words(germanWords);
  const term = (name: string): string => words.term(name, edition);
  return {
    t: (key, values = {}) => book.text(key, values, term) ?? key,
    findText: (key) => book.text(key, {}, term),
    term,
    color: (name) => words.value(name, edition),
    list: (items) => new Intl.ListFormat(language).format(items),
  };
}

// A board on which every number tells where one is: A1 is forest 2, the desert is in the middle.
const TERRAINS = ["forest", "fields", "hills", "pasture", "mountains"] as const;
const board: BoardLine = {
  hexes: [...ISLAND.hexes.keys()].map((at, i) =>
    at === "C3"
      ? { at, terrain: "desert", number: null }
      : { at, terrain: TERRAINS[i % 5] ?? "desert", number: (i % 11) + 2 },
  ),
  harbors: [
    { corners: ["A1nw", "A1n"], kind: null, rate: 3 },
    { corners: ["A2n", "A2ne"], kind: "grain", rate: 2 },
  ],
};

const player = (color: Color, rest: Partial<PlayerView>): PlayerView => ({
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

const places = new PlaceText(board, voice("en", "fifth"));

describe("a place in words", () => {
  it("is a hex with its number, the desert without", () => {
    expect(places.namePlace("A1")).toBe("forest 2");
    expect(places.namePlace("C3")).toBe("desert");
  });

  it("is a corner by the hexes around it, and the sea", () => {
    expect(places.namePlace("B2se")).toBe("corner of mountains 6, forest 7, and desert");
    expect(places.namePlace("A1sw")).toBe("corner of forest 2, pasture 5, and the sea");
  });

  it("has a direction on the rim, where a hex has several such corners", () => {
    expect(places.namePlace("A1n")).toBe("north corner of forest 2, on the coast, 3:1 harbor");
    expect(places.namePlace("A1/w")).toBe("west path of forest 2, on the coast");
  });

  it("has the harbor's kind in the words of the edition", () => {
    expect(places.namePlace("A2ne")).toContain("2:1 harbor for grain");
    expect(new PlaceText(board, voice("en", "sixth")).namePlace("A2ne")).toContain("2:1 port for wheat");
  });

  it("is a side between two hexes", () => {
    expect(places.namePlace("A1/e")).toBe("path between forest 2 and fields 3");
    expect(new PlaceText(board, voice("en", "zip")).namePlace("A1/e")).toBe("edge between forest 2 and fields 3");
  });

  it("is told apart from every other place on this board", () => {
    const names = [...ISLAND.hexes.keys(), ...ISLAND.corners.keys(), ...ISLAND.sides.keys()].map((place) =>
      places.namePlace(place),
    );
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual([]);
  });

  it("says what stands there, and whose it is", () => {
    expect(places.describePlace("B2se", view, null)).toMatch(/; red settlement$/);
    expect(places.describePlace("B2se", view, "red")).toMatch(/; your settlement$/);
    expect(places.describePlace("C3", view, "red")).toBe("desert; your settlement and the robber");
    expect(places.describePlace("A1/ne", view, "red")).toMatch(/; blue road$/);
    expect(places.describePlace("E1", view, "red")).toBe(places.namePlace("E1"));
  });

  it("has its short name before it when names are wanted", () => {
    expect(places.describePlace("C3", null, null, true)).toBe("C3: desert");
  });

  it("is said in German", () => {
    const orte = new PlaceText(board, voice("de", "fifth"));
    expect(orte.describePlace("A1n", view, "red")).toBe(
      "Kreuzung im Norden von Wald 2, an der Küste, Hafen 3:1; Stadt von Blau",
    );
    expect(orte.namePlace("A1sw")).toBe("Kreuzung zwischen Wald 2, Weideland 5 und dem Meer");
  });
});

describe("the whole board in words", () => {
  it("has all hexes row by row, the harbors, the robber and what everybody has built", () => {
    const told = places.describeBoard(view, "red");
    expect(told.map(({ texts }) => texts.length)).toEqual([5, 2, 1, 2, 2]);
    expect(told[0]?.texts[0]).toBe("A1: forest 2, A2: fields 3, A3: hills 4");
    expect(told[1]?.texts[0]).toContain("A1/nw");
    expect(told[2]?.texts).toEqual(["C3: desert"]);
    expect(told[3]?.title).toBe("You");
    expect(told[4]?.title).toBe("Blue");
    expect(told[4]?.texts.join()).toContain("A1n");
  });

  it("is the bare board before a game", () => {
    expect(places.describeBoard(null, null)).toHaveLength(2);
  });
});

it("finds what stands where", () => {
  expect(piecesOn(view).get("A1n")).toEqual({ kind: "city", color: "blue" });
  expect(piecesOn(view).size).toBe(5);
  expect(piecesOn(null).size).toBe(0);
});
