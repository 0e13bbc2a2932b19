import { expect, it } from "vitest";
import { exampleFor } from "./commands";

it("explains a command by the example of its word", () => {
  expect(exampleFor("  Road somewhere")).toBe("road C3/ne");
  expect(exampleFor("jump")).toBeNull();
  expect(exampleFor("")).toBeNull();
});
