import { describe, expect, test } from "vitest";
import { spreadLabels, offsetOf, fitText, linearScale, stackSpans, stairsPath, axisTicks } from "./scale";

describe("a scale", () => {
  test("maps the ends of a span to the ends of another, also upside down", () => {
    const y = linearScale([0, 10], [100, 20]);
    expect([y(0), y(10), y(5), y(12)]).toEqual([100, 20, 60, 4]);
  });

  test("of no width puts everything into the middle", () => {
    expect(linearScale([3, 3], [0, 50])(3)).toBe(25);
  });
});

describe("the marks of an axis", () => {
  test.each([
    [[0, 10], 6, [0, 2, 4, 6, 8, 10]],
    [[0, 12], 5, [0, 5, 10]],
    [[0, 3], 10, [0, 1, 2, 3]],
    [[0, 87], 5, [0, 50]],
    [[-7, 7], 5, [-5, 0, 5]],
    [[1, 1], 5, [1]],
  ] as const)("from %j at most %i are %j", (span, most, wanted) => {
    const found = axisTicks(span, most);
    expect(found).toEqual(wanted);
    expect(found.length).toBeLessThanOrEqual(most);
  });

  test("have a zero without a sign", () => {
    expect(Object.is(axisTicks([-5, 5], 3)[1], 0)).toBe(true);
  });
});

test("stacked parts follow one another", () => {
  expect(stackSpans([2, 0, 3])).toEqual([
    [0, 2],
    [2, 2],
    [2, 5],
  ]);
});

describe("labels", () => {
  test("that do not touch stay where they belong", () => {
    expect(spreadLabels([50, 10], 20, [0, 100])).toEqual([50, 10]);
  });

  test("at the same place lie around it, in order", () => {
    expect(spreadLabels([50, 50, 50], 10, [0, 100])).toEqual([40, 50, 60]);
  });

  test("push each other along, and stay inside", () => {
    expect(spreadLabels([95, 99, 10], 10, [0, 100])).toEqual([90, 100, 10]);
    expect(spreadLabels([0, 1, 2], 10, [0, 100])).toEqual([0, 10, 20]);
  });

  test("move together where there are too many", () => {
    expect(spreadLabels([9, 9, 9, 9, 9], 10, [0, 20])).toEqual([0, 5, 10, 15, 20]);
  });

  test("are as far apart as wanted wherever they belong", () => {
    const wanted = [3, 80, 4, 78, 5, 79];
    const placed = spreadLabels(wanted, 12, [0, 100]).sort((a, b) => a - b);
    for (let i = 1; i < placed.length; i++) {
      expect((placed[i] ?? 0) - (placed[i - 1] ?? 0)).toBeGreaterThanOrEqual(12 - 1e-9);
    }
    expect(placed[0]).toBeGreaterThanOrEqual(0);
    expect(placed.at(-1)).toBeLessThanOrEqual(100);
  });
});

describe("a line of stairs", () => {
  const same = (value: number): number => value;

  test("goes on until the value changes, and to the end", () => {
    expect(stairsPath([2, 2, 3, 3], (i) => i * 10, same)).toBe("M0 2H20V3H30");
  });

  test("is nothing for nothing", () => {
    expect(stairsPath([], same, same)).toBe("");
  });
});

test("a text is cut where there is no room for it", () => {
  expect(fitText("Annegret of the Isles", 70)).toBe("Annegret…");
  expect(fitText("Ann", 21)).toBe("Ann");
  expect(fitText("Ann", 0)).toBe("…");
});

test("lines side by side lie evenly around their place", () => {
  expect([0, 1, 2, 3].map((i) => offsetOf(i, 4, 2))).toEqual([-3, -1, 1, 3]);
  expect(offsetOf(0, 1, 2)).toBe(0);
});
