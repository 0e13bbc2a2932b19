import { describe, expect, it } from "vitest";
import { CORNERS, HEIGHT, HEXES, SIDES, WIDTH, at, inReadingOrder, kindOf, nearest, next, type Direction } from "./geometry";

const all = [...HEXES.keys(), ...CORNERS.keys(), ...SIDES.keys()];

describe("the places of the board", () => {
  it("are 19 hexes, 54 corners and 72 sides, all within the picture", () => {
    expect([HEXES.size, CORNERS.size, SIDES.size]).toEqual([19, 54, 72]);
    for (const place of all) {
      const { x, y } = at(place);
      expect(x > 0 && x < WIDTH && y > 0 && y < HEIGHT, place).toBe(true);
    }
  });

  it("lie where the host draws them", () => {
    expect(at("C3")).toEqual({ x: 570, y: 528 });
    expect(at("A1").x).toBeCloseTo(396.79, 1);
    expect(at("A1").y).toBe(228);
    expect(at("B2se").x).toBeCloseTo(570);
    expect(at("B2se").y).toBeCloseTo(428);
  });

  it("are hex, corner or side by their names", () => {
    expect([kindOf("C3"), kindOf("B2se"), kindOf("C3/e")]).toEqual(["hex", "corner", "side"]);
    expect(() => at("Z9")).toThrow("no place Z9");
  });

  it("have sides in the middle of their corners, along the line between them", () => {
    for (const [name, { x, y, angle, corners }] of SIDES) {
      const [a, b] = corners.map(at) as [{ x: number; y: number }, { x: number; y: number }];
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
    const hexes = [...HEXES.keys()];
    expect(next("C3", "right", hexes)).toBe("C4");
    expect(next("C3", "left", hexes)).toBe("C2");
    expect(next("A1", "up", hexes)).toBeNull();
    expect(next("C1", "left", hexes)).toBeNull();
  });

  it("does not lead back to where one is", () => {
    expect(next("C3", "right", ["C3"])).toBeNull();
  });

  it.each([
    ["hexes", [...HEXES.keys()]],
    ["corners", [...CORNERS.keys()]],
    ["sides", [...SIDES.keys()]],
    ["corners and sides", [...CORNERS.keys(), ...SIDES.keys()]],
  ])("leads from everywhere to everywhere: %s", (_, places) => {
    for (const start of places) {
      const found = new Set([start]);
      for (const place of found) {
        for (const turn of ["left", "right", "up", "down"] satisfies Direction[]) {
          const there = next(place, turn, places);
          if (there) found.add(there);
        }
      }
      expect(found.size, start).toBe(places.length);
    }
  });
});

describe("what is nearest", () => {
  it("is the nearest place within reach", () => {
    const { x, y } = at("B2se");
    expect(nearest({ x: x + 20, y: y - 20 }, CORNERS.keys(), 45)).toBe("B2se");
    expect(nearest({ x: x + 20, y: y - 20 }, ["A1n", "C3s"], 45)).toBeNull();
    expect(nearest({ x, y }, [], Infinity)).toBeNull();
  });
});

it("reads from the top and from the left", () => {
  expect(inReadingOrder(["C3", "B2", "A3", "A1"])).toEqual(["A1", "A3", "B2", "C3"]);
});
