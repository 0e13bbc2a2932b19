import { expect, it } from "vitest";
import type { BoardLine } from "../../generated/protocol";
import { ISLAND } from "../../testing/island";
import { robberPosition } from "./robber";

const board: BoardLine = {
  hexes: [
    { at: "C2", terrain: "forest", number: 8 },
    { at: "C3", terrain: "desert", number: null },
  ],
  harbors: [],
};
const houses = (...places: string[]): Map<string, unknown> => new Map(places.map((place) => [place, true]));
const { x, y } = ISLAND.at("C2");

it("puts the robber into the middle where there is no disc, else beside it", () => {
  expect(robberPosition(ISLAND, "C3", board, houses())).toEqual({ x: 570, y: 528 });
  expect(robberPosition(ISLAND, "C2", board, houses())).toEqual({ x: x + 47, y: y + 22 });
});

it("puts the robber where no house is in its way", () => {
  expect(robberPosition(ISLAND, "C2", board, houses("C2se"))).toEqual({ x: x - 47, y: y + 22 });
  expect(robberPosition(ISLAND, "C2", board, houses("C2se", "C1se"))).toEqual({ x: x + 47, y: y - 16 }); // C1se is C2's south-west
});
