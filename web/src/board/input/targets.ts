// What can be chosen on the board, and which place a pointer means.

import type { Geometry, Point } from "../../game/places/geometry";
import type { Target } from "../../game/actions/target";

export function targetsByPlace(targets: readonly Target[]): ReadonlyMap<string, Target> {
  return new Map(targets.map((target) => [target.place, target]));
}

/** All places of the kinds that are being chosen from; none if it is people that are chosen. */
export function choosablePlaces(geometry: Geometry, targets: readonly Target[]): string[] {
  const kinds = new Set(targets.filter(({ piece }) => piece !== "victim").map(({ place }) => geometry.kindOf(place)));
  return [...kinds].flatMap((kind) => geometry.all(kind));
}

/** Where one can walk: `near` by the arrow keys, `far` with Shift. */
export function walkablePlaces(
  geometry: Geometry,
  targets: readonly Target[],
): { near: readonly string[]; far: readonly string[] } {
  if (!targets.length) return { near: geometry.all("hex"), far: [...geometry.all("corner"), ...geometry.all("side")] };
  const near = targets.map(({ place }) => place);
  return { near, far: [...new Set([...choosablePlaces(geometry, targets), ...near])] };
}

const INSIDE = 92; // of a hex
const ON = 32; // of a corner or a side: nothing else can be meant
const NEAR = 45;
const FAR = 90;

/**
 * What a pointer means: a target near it, or (`barred`) a place of that kind where nothing can be done.
 * `unit`: pixels for a unit of the picture; a finger needs some 26 pixels around a target, however small the board is.
 */
export function findMeant(
  geometry: Geometry,
  point: Point,
  targets: readonly Target[],
  unit: number,
  finger: boolean,
): { target: Target | null; barred: string | null } {
  const small = targets.filter(({ place }) => geometry.kindOf(place) !== "hex");
  const exact = geometry.nearest(point, choosablePlaces(geometry, small), ON);
  const barred = exact && !small.some(({ place }) => place === exact) ? exact : null;
  if (barred && !finger) return { target: null, barred };
  const reach = Math.min(FAR, Math.max(NEAR, (finger ? 26 : 14) / unit));
  const place =
    geometry.nearest(
      point,
      small.map((target) => target.place),
      reach,
    ) ?? (small.length ? null : geometry.nearest(point, geometry.all("hex"), INSIDE));
  const target = targets.find((candidate) => candidate.place === place) ?? null;
  return {
    target,
    barred: target ? null : (barred ?? (choosablePlaces(geometry, targets).includes(place ?? "") ? place : null)),
  };
}
