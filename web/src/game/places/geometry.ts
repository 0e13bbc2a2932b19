// Where the places of a board lie in its picture, and what lies next to what in which direction: a value that is built
// from the board. The places themselves are the host's data (generated/places.json), in units of a hex's radius around
// the middle of the board.

import type { BoardLine } from "../../generated/protocol";
import PLACES from "../../generated/places.json";

const RADIUS = 100;

export interface Point {
  x: number;
  y: number;
}

export type PlaceKind = "hex" | "corner" | "side";

export interface Corner extends Point {
  hexes: string[];
}

export interface Side extends Point {
  corners: [string, string];
  hexes: string[];
  /** Degrees of its line, from -90 to 90. */
  angle: number;
}

export type Direction = "left" | "right" | "up" | "down";
const UNIT_VECTORS: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

export class Geometry {
  /** Of the picture, as the host draws it. */
  readonly width = 1140;
  readonly height = 1056;
  readonly hexes: ReadonlyMap<string, Point>;
  readonly corners: ReadonlyMap<string, Corner>;
  readonly sides: ReadonlyMap<string, Side>;
  private readonly order: ReadonlyMap<string, number>;

  /** `names`: the hexes of the board. It has the corners and sides that touch them. */
  constructor(names: ReadonlySet<string>) {
    const hexes = Object.entries(PLACES.hexes).filter(([name]) => names.has(name));
    this.hexes = new Map(hexes.map(([name, at]) => [name, this.scaled(at)]));
    const corners = new Map<string, Corner>();
    for (const [name, at] of Object.entries(PLACES.corners)) {
      const touched = at.hexes.filter((hex) => names.has(hex));
      if (touched.length) corners.set(name, { ...this.scaled(at), hexes: touched });
    }
    const sides = new Map<string, Side>();
    for (const [name, [from = "", to = ""]] of Object.entries(PLACES.sides)) {
      const [a, b] = [corners.get(from), corners.get(to)];
      const between = a?.hexes.filter((hex) => b?.hexes.includes(hex));
      if (!a || !b || !between?.length) continue;
      const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
      sides.set(name, {
        x: (a.x + b.x) / 2,
        y: (a.y + b.y) / 2,
        corners: [from, to],
        hexes: between,
        angle: ((Math.round(angle) + 89 + 360) % 180) - 89,
      });
    }
    [this.corners, this.sides] = [corners, sides];
    const all = [...this.hexes.keys(), ...this.corners.keys(), ...this.sides.keys()];
    all.sort((a, b) => this.at(a).y - this.at(b).y || this.at(a).x - this.at(b).x);
    this.order = new Map(all.map((place, i) => [place, i]));
  }

  private scaled(at: Point): Point {
    return { x: this.width / 2 + at.x * RADIUS, y: this.height / 2 + at.y * RADIUS };
  }

  kindOf(place: string): PlaceKind {
    if (place.includes("/")) return "side";
    return this.hexes.has(place) ? "hex" : "corner";
  }

  /** The hex that a place is named by: "B2" of "B2se" and of "B2/e". */
  hexOf(place: string): string {
    return place.slice(0, 2);
  }

  /** The row that a hex is in: "B" of "B2". */
  rowOf(hex: string): string {
    return hex.slice(0, 1);
  }

  /** Where a corner or a side lies at the hex it is named by: "se" of "B2se", "e" of "B2/e". */
  directionOf(place: string): string {
    return place.slice(this.hexOf(place).length).replace("/", "");
  }

  /** Whether the board has a place of that name. */
  has(name: string): boolean {
    return this.order.has(name);
  }

  /** All places of a kind. */
  all(kind: PlaceKind): string[] {
    return [...{ hex: this.hexes, corner: this.corners, side: this.sides }[kind].keys()];
  }

  /** Throws if there is no such place. */
  at(place: string): Point {
    const point = this.hexes.get(place) ?? this.corners.get(place) ?? this.sides.get(place);
    if (!point) throw new Error(`there is no place ${place}`);
    return point;
  }

  /** The transform that puts a drawing on its place; along a side it lies. */
  transform(place: string): string {
    const { x, y } = this.at(place);
    const angle = this.sides.get(place)?.angle ?? 0;
    return `translate(${x} ${y})${angle ? ` rotate(${angle})` : ""}`;
  }

  /** Of `places` the one next to `from` in a direction: what lies straight ahead comes before what lies aside. */
  next(from: string, direction: Direction, places: readonly string[]): string | null {
    const start = this.at(from);
    const ahead = UNIT_VECTORS[direction];
    let best: string | null = null;
    let least = Infinity;
    for (const place of places) {
      if (place === from) continue;
      const { x, y } = this.at(place);
      const along = (x - start.x) * ahead.x + (y - start.y) * ahead.y;
      const aside = Math.abs((x - start.x) * ahead.y) + Math.abs((y - start.y) * ahead.x);
      if (along < 1) continue;
      const cost = along + 2 * aside;
      if (cost < least) [best, least] = [place, cost];
    }
    return best;
  }

  /** Of `places` the one nearest to a point of the picture, if one is within reach. */
  nearest(point: Point, places: Iterable<string>, reach: number): string | null {
    let best: string | null = null;
    let least = reach;
    for (const place of places) {
      const { x, y } = this.at(place);
      const away = Math.hypot(x - point.x, y - point.y);
      if (away <= least) [best, least] = [place, away];
    }
    return best;
  }

  /** Places once each, in reading order: from the top, then from the left. */
  ordered(places: Iterable<string>): string[] {
    return [...new Set(places)].sort((a, b) => (this.order.get(a) ?? 0) - (this.order.get(b) ?? 0));
  }
}

const made = new Map<string, Geometry>();

/** The geometry of a board: one value for all boards of the same hexes. */
export function geometryOf({ hexes }: Pick<BoardLine, "hexes">): Geometry {
  const names = hexes.map(({ at }) => at).sort();
  const key = names.join();
  let geometry = made.get(key);
  if (!geometry) made.set(key, (geometry = new Geometry(new Set(names))));
  return geometry;
}
