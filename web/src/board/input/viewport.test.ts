import { expect, test } from "vitest";
import { CLOSEST, WHOLE, fitting, moved, showing, toBox, toChart, zoomed } from "./viewport";

const box = { width: 900, height: 528 };
const middle = { x: 450, y: 264 };

test("the whole chart stands in the middle of a wider box", () => {
  expect(fitting(box)).toBe(0.5);
  expect(toBox({ x: 570, y: 528 }, WHOLE, box)).toEqual(middle);
  expect(toBox({ x: 0, y: 0 }, WHOLE, box)).toEqual({ x: 165, y: 0 });
});

test("pixels and points of the picture are each other's inverse, zoomed or not", () => {
  const sight = zoomed(WHOLE, 2.3, { x: 300, y: 200 }, box);
  for (const point of [{ x: 483, y: 278 }, { x: 20, y: 1000 }]) {
    const back = toChart(toBox(point, sight, box), sight, box);
    expect(back.x).toBeCloseTo(point.x);
    expect(back.y).toBeCloseTo(point.y);
  }
});

test("zooming keeps what lies under the finger", () => {
  const finger = { x: 400, y: 250 };
  const under = toChart(finger, WHOLE, box);
  const seen = toBox(under, zoomed(WHOLE, 3, finger, box), box);
  expect(seen.x).toBeCloseTo(finger.x);
  expect(seen.y).toBeCloseTo(finger.y);
});

test("one zooms neither closer than the closest nor out of the whole chart", () => {
  expect(zoomed(WHOLE, 100, middle, box).scale).toBe(CLOSEST);
  expect(zoomed(zoomed(WHOLE, 2, middle, box), 0.01, { x: 0, y: 0 }, box)).toEqual(WHOLE);
});

test("the chart cannot be moved away: there is no gap at its rim", () => {
  const sight = moved(zoomed(WHOLE, 2, middle, box), 5000, -5000, box);
  expect(toBox({ x: 0, y: 0 }, sight, box).x).toBe(0);
  expect(toBox({ x: 0, y: 1056 }, sight, box).y).toBe(box.height);
});

test("as long as the chart is narrower than the box it cannot be moved sideways", () => {
  const sight = zoomed(WHOLE, 1.2, middle, box);
  expect(moved(sight, 300, 0, box).x).toBe(sight.x);
});

test("a place out of sight is moved into sight, one in sight stays", () => {
  const sight = moved(zoomed(WHOLE, 4, middle, box), 5000, 5000, box);
  expect(showing({ x: 100, y: 100 }, sight, box, 48)).toBe(sight);
  const shown = toBox({ x: 900, y: 900 }, showing({ x: 900, y: 900 }, sight, box, 48), box);
  expect(shown.x).toBeLessThanOrEqual(box.width - 48 + 0.01);
  expect(shown.y).toBeLessThanOrEqual(box.height - 48 + 0.01);
});
