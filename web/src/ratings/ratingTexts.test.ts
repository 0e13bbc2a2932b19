import { expect, it } from "vitest";
import { linePoints, signed } from "./ratingTexts";

it("writes a change with its sign", () => {
  expect([12, -3, 0].map(signed)).toEqual(["+12", "−3", "±0"]);
});

it("draws a line from the oldest value to the newest, low ones below", () => {
  expect(linePoints([0, 50, 100])).toBe("0,28 50,15 100,2");
  expect(linePoints([7])).toBe("0,28");
  expect(linePoints([7, 7])).toBe("0,28 100,28");
});
