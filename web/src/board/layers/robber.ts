// Where the robber stands in the picture.

import type { BoardLine } from "../../generated/protocol";
import type { Geometry, Point } from "../../game/places/geometry";

const BESIDE: readonly Point[] = [
  { x: 47, y: 22 },
  { x: -47, y: 22 },
  { x: 47, y: -16 },
  { x: -47, y: -16 },
];

/** The robber stands beside the disc, where no house is in its way; in the middle where there is no disc. */
export function robberPosition(
  geometry: Geometry,
  hex: string,
  board: BoardLine,
  pieces: ReadonlyMap<string, unknown>,
): Point {
  const { x, y } = geometry.at(hex);
  if (!board.hexes.find((tile) => tile.at === hex)?.number) return { x, y };
  const free = ({ x: dx, y: dy }: Point): boolean =>
    geometry.nearest({ x: x + Math.sign(dx) * 87, y: y + Math.sign(dy) * 50 }, pieces.keys(), 10) === null;
  const beside = BESIDE.find(free) ?? { x: 47, y: 22 };
  return { x: x + beside.x, y: y + beside.y };
}
