import { describe, expect, it } from "vitest";
import type { Point } from "../../game/places/geometry";
import { ISLAND } from "../../testing/island";
import type { Target } from "../../game/actions/target";
import { choosablePlaces, findMeant, walkablePlaces } from "./targets";

const settle = (place: string): Target => ({ place, action: `settlement ${place}`, piece: "settlement", color: "red" });
const rob = (place: string): Target => ({ place, action: `robber ${place}`, piece: "robber", color: "red" });
const off = (place: string, x: number, y: number): Point => ({ x: ISLAND.at(place).x + x, y: ISLAND.at(place).y + y });

describe("what a pointer means", () => {
  const targets = [settle("A1n"), settle("B2se")];

  it("is the target it is near to", () => {
    expect(findMeant(ISLAND, off("B2se", 20, 30), targets, 0.8, false).target?.place).toBe("B2se");
    expect(findMeant(ISLAND, off("B2se", 60, 10), targets, 0.8, false).target).toBeNull();
  });

  it("reaches further for a finger on a small board, and no further on a large one", () => {
    expect(findMeant(ISLAND, off("B2se", 55, 45), targets, 0.34, true).target?.place).toBe("B2se");
    expect(findMeant(ISLAND, off("B2se", 55, 45), targets, 2, true).target).toBeNull();
  });

  it("is never a neighbor of the place that is clicked: that place says why not", () => {
    expect(findMeant(ISLAND, ISLAND.at("A2s"), targets, 0.1, false)).toEqual({ target: null, barred: "A2s" });
  });

  it("is the nearest of two targets", () => {
    const both = [settle("B2se"), settle("A2s")];
    expect(findMeant(ISLAND, off("A2s", 0, 40), both, 0.3, true).target?.place).toBe("A2s");
    expect(findMeant(ISLAND, off("A2s", 0, 60), both, 0.3, true).target?.place).toBe("B2se");
  });

  it("is a hex anywhere in it; where the robber stands it is barred", () => {
    const hexes = [...ISLAND.hexes.keys()].filter((hex) => hex !== "C3").map(rob);
    expect(findMeant(ISLAND, off("A1", 50, -40), hexes, 0.8, false).target?.place).toBe("A1");
    expect(findMeant(ISLAND, off("C3", 30, 0), hexes, 0.8, false)).toEqual({ target: null, barred: "C3" });
    expect(findMeant(ISLAND, { x: 5, y: 5 }, hexes, 0.8, false)).toEqual({ target: null, barred: null });
  });

  it("is nothing when there is nothing to choose", () => {
    expect(findMeant(ISLAND, ISLAND.at("B2se"), [], 0.8, false)).toEqual({ target: null, barred: null });
  });

  it("bars nothing when people are chosen", () => {
    const victim: Target = { place: "B2se", action: "steal blue", piece: "victim", color: "blue" };
    expect(findMeant(ISLAND, ISLAND.at("A1n"), [victim], 0.8, false)).toEqual({ target: null, barred: null });
    expect(findMeant(ISLAND, ISLAND.at("B2se"), [victim], 0.8, false).target).toBe(victim);
  });
});

describe("where the keys go", () => {
  it("goes over the targets, with Shift over all places of their kind", () => {
    const { near, far } = walkablePlaces(ISLAND, [settle("A1n"), settle("B2se")]);
    expect(near).toEqual(["A1n", "B2se"]);
    expect(far.length).toBe(ISLAND.corners.size);
  });

  it("goes over the hexes when there is nothing to choose, with Shift over corners and sides", () => {
    expect(walkablePlaces(ISLAND, []).near.length).toBe(19);
    expect(walkablePlaces(ISLAND, []).far.length).toBe(54 + 72);
  });

  it("is anywhere of a kind", () => {
    expect(choosablePlaces(ISLAND, [rob("A1")])).toHaveLength(19);
  });
});
