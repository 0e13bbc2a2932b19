// Where places lie in the picture of the board, and what lies next to what in which direction. The places themselves
// are the host's data (generated/places.json), in units of a hex's radius around the middle of the board.

import places from "../../generated/places.json";

export const WIDTH = 1140;
export const HEIGHT = 1056;
const RADIUS = 100;

export interface Point {
  x: number;
  y: number;
}

export type PlaceKind = "hex" | "corner" | "side";

export interface Corner extends Point {
  hexes: string[];
  neighbours: string[];
}

export interface Side extends Point {
  corners: [string, string];
  hexes: string[];
  /** Degrees of its line, from -90 to 90. */
  angle: number;
}

const scaled = (at: { x: number; y: number }): Point => ({
  x: WIDTH / 2 + at.x * RADIUS,
  y: HEIGHT / 2 + at.y * RADIUS,
});

export const HEXES: ReadonlyMap<string, Point> = new Map(
  Object.entries(places.hexes).map(([name, at]) => [name, scaled(at)]),
);

export const CORNERS: ReadonlyMap<string, Corner> = new Map(
  Object.entries(places.corners).map(([name, at]) => [
    name,
    { ...scaled(at), hexes: at.hexes, neighbours: at.neighbours },
  ]),
);

export const SIDES: ReadonlyMap<string, Side> = new Map(
  Object.entries(places.sides).map(([name, side]) => {
    const [a, b] = side.corners.map((corner) => CORNERS.get(corner)) as [Corner, Corner];
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    return [
      name,
      {
        ...scaled(side),
        corners: side.corners as [string, string],
        hexes: side.hexes,
        angle: ((Math.round(angle) + 89 + 360) % 180) - 89,
      },
    ];
  }),
);

export function kindOf(place: string): PlaceKind {
  if (place.includes("/")) return "side";
  return HEXES.has(place) ? "hex" : "corner";
}

export const isPlace = (name: string): boolean => HEXES.has(name) || CORNERS.has(name) || SIDES.has(name);

export function at(place: string): Point {
  const found = HEXES.get(place) ?? CORNERS.get(place) ?? SIDES.get(place);
  if (!found) throw new Error(`there is no place ${place}`);
  return found;
}

export type Direction = "left" | "right" | "up" | "down";
const TURN: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** Of `places` the one next to `from` in a direction: what lies straight ahead comes before what lies aside. */
export function next(from: string, direction: Direction, places: readonly string[]): string | null {
  const start = at(from);
  const ahead = TURN[direction];
  let best: string | null = null;
  let least = Infinity;
  for (const place of places) {
    if (place === from) continue;
    const { x, y } = at(place);
    const along = (x - start.x) * ahead.x + (y - start.y) * ahead.y;
    const aside = Math.abs((x - start.x) * ahead.y) + Math.abs((y - start.y) * ahead.x);
    if (along < 1) continue;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}

/** Of `places` the one nearest to a point of the picture, if one is within reach. */
export function nearest(point: Point, places: Iterable<string>, reach: number): string | null {
  let best: string | null = null;
  let least = reach;
  for (const place of places) {
    const { x, y } = at(place);
    const away = Math.hypot(x - point.x, y - point.y);
    if (away <= least) [best, least] = [place, away];
  }
  return best;
}

/** Places in reading order: from the top, then from the left. */
export function inReadingOrder(places: readonly string[]): string[] {
  return [...places].sort((a, b) => at(a).y - at(b).y || at(a).x - at(b).x);
}
