// Where things stand in the picture.

import type { BoardLine } from "../../generated/protocol";
import { SIDES, at, nearest, type Point } from "../../game/places/geometry";

/** The transform that puts a drawing on its place; along a side it lies. */
export function put(place: string): string {
  const { x, y } = at(place);
  const angle = SIDES.get(place)?.angle ?? 0;
  return `translate(${x} ${y})${angle ? ` rotate(${angle})` : ""}`;
}

const BESIDE: readonly Point[] = [
  { x: 47, y: 22 },
  { x: -47, y: 22 },
  { x: 47, y: -16 },
  { x: -47, y: -16 },
];

/** The robber stands beside the disc, where no house is in its way; in the middle where there is no disc. */
export function robberAt(hex: string, board: BoardLine, taken: ReadonlyMap<string, unknown>): Point {
  const { x, y } = at(hex);
  if (!board.hexes.find((one) => one.at === hex)?.number) return { x, y };
  const free = ({ x: dx, y: dy }: Point): boolean =>
    nearest({ x: x + Math.sign(dx) * 87, y: y + Math.sign(dy) * 50 }, taken.keys(), 10) === null;
  const beside = BESIDE.find(free) ?? { x: 47, y: 22 };
  return { x: x + beside.x, y: y + beside.y };
}
