import { describe, expect, it } from "vitest";
import page from "../../../../docs/formats/actions.md?raw";
import { EXAMPLES, exampleFor } from "./commands";

describe("typed commands", () => {
  it("have an example for every word a player can say, as the page about them has it", () => {
    for (const word of Object.keys(EXAMPLES)) expect(page, word).toContain(`\`${word}`);
  });

  it("are none that only chance says", () => {
    for (const word of ["dice", "drawn", "stolen", "start-roll"]) expect(EXAMPLES).not.toHaveProperty(word);
  });

  it("are explained by the example of their word", () => {
    expect(exampleFor("  Road somewhere")).toBe("road C3/ne");
    expect(exampleFor("jump")).toBeNull();
    expect(exampleFor("")).toBeNull();
  });
});
