// For tests: the island of the base game.

import PLACES from "../generated/places.json";
import { geometryOf } from "../game/places/geometry";

export const ISLAND = geometryOf({
  hexes: Object.keys(PLACES.hexes).map((at) => ({ at, terrain: "desert", number: null })),
});
