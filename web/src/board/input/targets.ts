// What can be chosen on the board, and which place a pointer means.

import { CORNERS, HEXES, SIDES, inReadingOrder, kindOf, nearest, type PlaceKind, type Point } from "../../game/places/geometry";

/** A place where something can be done; `color` is the piece's, or the victim's. */
export interface Target {
  place: string;
  action: string;
  piece: "road" | "settlement" | "city" | "robber" | "victim";
  color: string;
  /** A piece that costs nothing: it is put there, as the sentence of the table has it, and not built. */
  put?: boolean;
}

const PLACES: Record<PlaceKind, readonly string[]> = {
  hex: [...HEXES.keys()],
  corner: [...CORNERS.keys()],
  side: [...SIDES.keys()],
};
const ORDER = new Map(inReadingOrder([...PLACES.hex, ...PLACES.corner, ...PLACES.side]).map((place, i) => [place, i]));

/** Places once each, in reading order. */
export function ordered(places: Iterable<string>): string[] {
  return [...new Set(places)].sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));
}

export function byPlace(targets: readonly Target[]): ReadonlyMap<string, Target> {
  return new Map(targets.map((target) => [target.place, target]));
}

/** All places of the kinds that are being chosen from; none if it is people that are chosen. */
export function choosable(targets: readonly Target[]): string[] {
  const kinds = new Set(targets.filter(({ piece }) => piece !== "victim").map(({ place }) => kindOf(place)));
  return [...kinds].flatMap((kind) => PLACES[kind]);
}

/** Where one can walk: `near` by the arrow keys, `far` with Shift. */
export function walks(targets: readonly Target[]): { near: readonly string[]; far: readonly string[] } {
  if (!targets.length) return { near: PLACES.hex, far: [...PLACES.corner, ...PLACES.side] };
  const near = targets.map(({ place }) => place);
  return { near, far: [...new Set([...choosable(targets), ...near])] };
}

const INSIDE = 92; // of a hex
const ON = 32; // of a corner or a side: nothing else can be meant
const NEAR = 45;
const FAR = 90;

/**
 * What a pointer means: a target near it, or (`barred`) a place of that kind where nothing can be done.
 * `unit`: pixels for a unit of the picture; a finger needs some 26 pixels around a target, however small the board is.
 */
export function meant(
  point: Point,
  targets: readonly Target[],
  unit: number,
  finger: boolean,
): { target: Target | null; barred: string | null } {
  const small = targets.filter(({ place }) => kindOf(place) !== "hex");
  const exact = nearest(point, choosable(small), ON);
  const barred = exact && !small.some(({ place }) => place === exact) ? exact : null;
  if (barred && !finger) return { target: null, barred };
  const reach = Math.min(FAR, Math.max(NEAR, (finger ? 26 : 14) / unit));
  const place =
    nearest(point, small.map((target) => target.place), reach) ?? (small.length ? null : nearest(point, PLACES.hex, INSIDE));
  const target = targets.find((one) => one.place === place) ?? null;
  return { target, barred: target ? null : (barred ?? (choosable(targets).includes(place ?? "") ? place : null)) };
}
