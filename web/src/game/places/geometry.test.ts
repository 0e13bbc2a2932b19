import { describe, expect, it } from "vitest";
import type { BoardLine } from "../../generated/protocol";
import { geometryOf, type Direction } from "./geometry";
import { ISLAND } from "../../testing/island";

const all = [...ISLAND.hexes.keys(), ...ISLAND.corners.keys(), ...ISLAND.sides.keys()];

describe("the places of the board", () => {
  it("are 19 hexes, 54 corners and 72 sides, all within the picture", () => {
    expect([ISLAND.hexes.size, ISLAND.corners.size, ISLAND.sides.size]).toEqual([19, 54, 72]);
    for (const place of all) {
      const { x, y } = ISLAND.at(place);
      expect(x > 0 && x < ISLAND.width && y > 0 && y < ISLAND.height, place).toBe(true);
    }
  });

  it("lie where the host draws them", () => {
    expect(ISLAND.at("C3")).toEqual({ x: 570, y: 528 });
    expect(ISLAND.at("A1").x).toBeCloseTo(396.79, 1);
    expect(ISLAND.at("A1").y).toBe(228);
    expect(ISLAND.at("B2se").x).toBeCloseTo(570);
    expect(ISLAND.at("B2se").y).toBeCloseTo(428);
  });

  it("are hex, corner or side by their names", () => {
    expect([ISLAND.kindOf("C3"), ISLAND.kindOf("B2se"), ISLAND.kindOf("C3/e")]).toEqual(["hex", "corner", "side"]);
    expect(() => ISLAND.at("Z9")).toThrow("no place Z9");
  });

  it("say by their names which hex they are at, and where", () => {
    for (const place of ["B2se", "B2/e"]) expect(ISLAND.hexOf(place)).toBe("B2");
    expect([ISLAND.directionOf("B2se"), ISLAND.directionOf("B2/e"), ISLAND.rowOf("B2")]).toEqual(["se", "e", "B"]);
  });

  it("have sides in the middle of their corners, along the line between them", () => {
    for (const [name, { x, y, angle, corners }] of ISLAND.sides) {
      const [a, b] = corners.map((corner) => ISLAND.at(corner)) as [{ x: number; y: number }, { x: number; y: number }];
      expect(x, name).toBeCloseTo((a.x + b.x) / 2, 3);
      expect(y, name).toBeCloseTo((a.y + b.y) / 2, 3);
      expect([-30, 30, 90], name).toContain(angle);
      const turned = (angle * Math.PI) / 180;
      expect(Math.abs((b.x - a.x) * Math.sin(turned) - (b.y - a.y) * Math.cos(turned)), name).toBeLessThan(0.01);
    }
  });
});

describe("what is next", () => {
  it("goes straight ahead before aside", () => {
    const hexes = [...ISLAND.hexes.keys()];
    expect(ISLAND.next("C3", "right", hexes)).toBe("C4");
    expect(ISLAND.next("C3", "left", hexes)).toBe("C2");
    expect(ISLAND.next("A1", "up", hexes)).toBeNull();
    expect(ISLAND.next("C1", "left", hexes)).toBeNull();
  });

  it("does not lead back to where one is", () => {
    expect(ISLAND.next("C3", "right", ["C3"])).toBeNull();
  });

  it.each([
    ["hexes", [...ISLAND.hexes.keys()]],
    ["corners", [...ISLAND.corners.keys()]],
    ["sides", [...ISLAND.sides.keys()]],
    ["corners and sides", [...ISLAND.corners.keys(), ...ISLAND.sides.keys()]],
  ])("leads from everywhere to everywhere: %s", (_, places) => {
    for (const start of places) {
      const found = new Set([start]);
      for (const place of found) {
        for (const turn of ["left", "right", "up", "down"] satisfies Direction[]) {
          const there = ISLAND.next(place, turn, places);
          if (there) found.add(there);
        }
      }
      expect(found.size, start).toBe(places.length);
    }
  });
});

describe("what is nearest", () => {
  it("is the nearest place within reach", () => {
    const { x, y } = ISLAND.at("B2se");
    expect(ISLAND.nearest({ x: x + 20, y: y - 20 }, ISLAND.corners.keys(), 45)).toBe("B2se");
    expect(ISLAND.nearest({ x: x + 20, y: y - 20 }, ["A1n", "C3s"], 45)).toBeNull();
    expect(ISLAND.nearest({ x, y }, [], Infinity)).toBeNull();
  });
});

it("reads from the top and from the left, each place once", () => {
  expect(ISLAND.ordered(["C3", "B2", "A3", "C3", "A1", "A1n"])).toEqual(["A1n", "A1", "A3", "B2", "C3"]);
});

it("lays a road along its side", () => {
  expect(ISLAND.transform("C2/e")).toMatch(/^translate\(.* 528\) rotate\(90\)$/);
  expect(ISLAND.transform("C2se")).not.toContain("rotate");
});

describe("the geometry of a board", () => {
  const board: Pick<BoardLine, "hexes"> = {
    hexes: ["C2", "C3"].map((at) => ({ at, terrain: "forest", number: 8 })),
  };

  it("has its hexes, and the corners and sides that touch them", () => {
    const { hexes, corners, sides } = geometryOf(board);
    expect([hexes.size, corners.size, sides.size]).toEqual([2, 10, 11]);
    expect(corners.get("C2se")?.hexes).toEqual(["C2", "C3"]);
    expect([geometryOf(board).has("C2/e"), geometryOf(board).has("A1")]).toEqual([true, false]);
  });

  it("is the same value for the same hexes", () => {
    expect(geometryOf({ hexes: board.hexes.toReversed() })).toBe(geometryOf(board));
  });
});
