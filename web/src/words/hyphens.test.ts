import { expect, it } from "vitest";
import { addSoftHyphens } from "./hyphens";

const shown = (text: string): string => addSoftHyphens(text).replaceAll("\u00ad", "|");

it("parts German words where a reader would", () => {
  expect(shown("Entwicklungskarte")).toBe("Entwick|lungs|karte");
  expect(shown("Entwicklungsplättchen")).toBe("Entwick|lungs|plättchen");
  expect(shown("Siedlung")).toBe("Sied|lung");
});

it("leaves words alone that it does not know how to part", () => {
  for (const word of ["Straße", "Development card", "Development Tile", "Räuberei", "Teilung", "lung"]) {
    expect(shown(word)).toBe(word);
  }
});
