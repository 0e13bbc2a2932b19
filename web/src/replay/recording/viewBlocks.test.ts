import { describe, expect, test } from "vitest";
import { ViewBlocks } from "./viewBlocks";

/** A game of 25 steps in blocks of 10, and what was asked for. */
function views(fails = 0): { views: ViewBlocks<string>; asked: [number, number][] } {
  const asked: [number, number][] = [];
  const load = async (from: number, to: number): Promise<string[]> => {
    asked.push([from, to]);
    if (asked.length <= fails) throw new Error("no line");
    return Array.from({ length: to - from + 1 }, (_, i) => `after ${from + i}`);
  };
  return { views: new ViewBlocks(25, load, undefined, 10), asked };
}

describe("a views", () => {
  test("has nothing before it was asked for, then a whole block", async () => {
    const { views: one } = views();
    expect(one.at(13)).toBeNull();
    await one.fetch(13);
    expect([one.at(10), one.at(13), one.at(19), one.at(20)]).toEqual(["after 10", "after 13", "after 19", null]);
  });

  test("fetches a block once, also when it is wanted again while it comes", async () => {
    const { views: one, asked } = views();
    await Promise.all([one.fetch(3), one.fetch(9)]);
    await one.fetch(0);
    expect(asked).toEqual([[0, 9]]);
  });

  test("asks for no step beyond the last", async () => {
    const { views: one, asked } = views();
    await one.fetch(25);
    expect(asked).toEqual([[20, 25]]);
    expect(one.at(25)).toBe("after 25");
  });

  test("can be asked again for what failed", async () => {
    const { views: one } = views(1);
    await expect(one.fetch(4)).rejects.toThrow("no line");
    expect(one.at(4)).toBeNull();
    await one.fetch(4);
    expect(one.at(4)).toBe("after 4");
  });

  test("misses what is near first, and what comes before what was", async () => {
    const { views: one } = views();
    await one.fetch(12);
    const order: number[] = [];
    for (let step = one.missing(12); step !== null; step = one.missing(12)) {
      order.push(step);
      await one.fetch(step);
    }
    expect(order).toEqual([20, 0]);
  });
});
