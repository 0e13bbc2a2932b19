// Players are known by their colors.

import type { Color } from "../generated/protocol";
import { COLORS } from "../generated/names";

/** Something of each player; of those of whom there is nothing to say it has none. */
export type ByColor<T> = Partial<Record<Color, T>>;

export const isColor = (name: string): name is Color => COLORS.some((color) => color === name);

/** Each color with what there is of it. */
export function colorEntries<T>(things: Readonly<ByColor<T>>): [Color, T][] {
  return COLORS.flatMap((color): [Color, T][] => {
    const thing = things[color];
    return thing === undefined ? [] : [[color, thing]];
  });
}
