// What tells players and parts of a chart apart beside their colors.

import { GAINED, LOST } from "../generated/names";

/** Dashes of the players' lines over a line of ink, by seat. */
export const DASHES: readonly (string | undefined)[] = [undefined, "10 3", "4 3", "12 3 3 3", "2 2", "16 6"];

/** Ink over a part of a bar: the lines of a tile of 8 by 8. By the order of the parts, or of SOURCES. */
export const HATCHES: readonly string[] = [
  "",
  "M-2 10L10 -2M-6 6L6 -6M2 14L14 2",
  "M0 2H8M0 6H8",
  "M-2 -2L10 10M-6 2L6 14M2 -6L14 6",
  "M2 0V8M6 0V8",
  "M0 4H8M4 0V8",
  "M1.5 2H2.5M5.5 6H6.5",
];

/** Where cards come from and go to, each with its color, the same in every chart. */
export const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  [...GAINED, ...LOST].map((source) => [source, `var(--source-${source})`]),
);
