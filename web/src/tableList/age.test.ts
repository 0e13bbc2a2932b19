import { expect, test } from "vitest";
import { formatAge } from "./age";

test.each([
  [0, "now"],
  [-30, "now"],
  [59, "now"],
  [60, "1 minute ago"],
  [3599, "59 minutes ago"],
  [3600, "1 hour ago"],
  [86_400 * 1.5, "yesterday"],
  [86_400 * 12, "12 days ago"],
])("%f seconds ago", (seconds, said) => {
  expect(formatAge(1_000_000 - seconds, 1_000_000, "en")).toBe(said);
});

test("in German", () => {
  expect(formatAge(0, 7200, "de")).toBe("vor 2 Stunden");
});
