import { expect, test } from "vitest";
import { CLOSEST, WHOLE_BOARD, fitScale, moveViewport, revealPoint, toBox, toBoard, zoomViewport } from "./viewport";

const picture = { width: 1140, height: 1056 };
const box = { width: 900, height: 528, picture };
const middle = { x: 450, y: 264 };

test("the whole board stands in the middle of a wider box", () => {
  expect(fitScale(box)).toBe(0.5);
  expect(toBox({ x: 570, y: 528 }, WHOLE_BOARD, box)).toEqual(middle);
  expect(toBox({ x: 0, y: 0 }, WHOLE_BOARD, box)).toEqual({ x: 165, y: 0 });
});

test("pixels and points of the picture are each other's inverse, zoomed or not", () => {
  const viewport = zoomViewport(WHOLE_BOARD, 2.3, { x: 300, y: 200 }, box);
  for (const point of [
    { x: 483, y: 278 },
    { x: 20, y: 1000 },
  ]) {
    const back = toBoard(toBox(point, viewport, box), viewport, box);
    expect(back.x).toBeCloseTo(point.x);
    expect(back.y).toBeCloseTo(point.y);
  }
});

test("zooming keeps what lies under the finger", () => {
  const finger = { x: 400, y: 250 };
  const under = toBoard(finger, WHOLE_BOARD, box);
  const seen = toBox(under, zoomViewport(WHOLE_BOARD, 3, finger, box), box);
  expect(seen.x).toBeCloseTo(finger.x);
  expect(seen.y).toBeCloseTo(finger.y);
});

test("one zooms neither closer than the closest nor out of the whole board", () => {
  expect(zoomViewport(WHOLE_BOARD, 100, middle, box).scale).toBe(CLOSEST);
  expect(zoomViewport(zoomViewport(WHOLE_BOARD, 2, middle, box), 0.01, { x: 0, y: 0 }, box)).toEqual(WHOLE_BOARD);
});

test("the board cannot be moved away: there is no gap at its rim", () => {
  const viewport = moveViewport(zoomViewport(WHOLE_BOARD, 2, middle, box), 5000, -5000, box);
  expect(toBox({ x: 0, y: 0 }, viewport, box).x).toBe(0);
  expect(toBox({ x: 0, y: 1056 }, viewport, box).y).toBe(box.height);
});

test("as long as the board is narrower than the box it cannot be moved sideways", () => {
  const viewport = zoomViewport(WHOLE_BOARD, 1.2, middle, box);
  expect(moveViewport(viewport, 300, 0, box).x).toBe(viewport.x);
});

test("a place out of sight is moved into sight, one in sight stays", () => {
  const viewport = moveViewport(zoomViewport(WHOLE_BOARD, 4, middle, box), 5000, 5000, box);
  expect(revealPoint({ x: 100, y: 100 }, viewport, box, 48)).toBe(viewport);
  const shown = toBox({ x: 900, y: 900 }, revealPoint({ x: 900, y: 900 }, viewport, box, 48), box);
  expect(shown.x).toBeLessThanOrEqual(box.width - 48 + 0.01);
  expect(shown.y).toBeLessThanOrEqual(box.height - 48 + 0.01);
});
