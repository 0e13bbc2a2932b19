// Parts of the page that others look for: each has its name as `data-part`, and what cards fly to and from as
// `data-anchor`. elements.d.ts holds the markup to these names.

import type { CardKind, Color, PieceKind, Resource } from "../generated/protocol";

export type PartName =
  | "hand"
  | "turn"
  | "own-bar"
  | "chance-entry"
  | "offer-form"
  | "resource-picker"
  | "open-build"
  | "open-cards"
  | "roll"
  | "discard"
  | "end-turn"
  | "trade"
  | "send-offer"
  | `build-${PieceKind | "card"}`
  | `card-${CardKind}`
  | `name-${Resource}`
  | `${"give" | "want"}-${Resource}`
  | `supply-${Resource}-${Resource}`
  | `${"offer" | "reject"}-${number}`
  | `confirm-${number}-${Color}`;

/** Somebody's card in the page, or the supply. */
export type AnchorName = Color | "supply";

/** The first part of this name, seen or not. */
export function findPart(name: PartName): HTMLElement | null {
  return document.querySelector(`[data-part="${name}"]`);
}

/** Put the focus on the first thing in a part that can be used; on the part itself if it is a button. */
export function focusPart(name: PartName): void {
  const able = ":is(button, input):not(:disabled, [aria-disabled=true])";
  document.querySelector<HTMLElement>(`[data-part="${name}"]${able}, [data-part="${name}"] ${able}`)?.focus();
}

/** Where something is in the page that cards fly to or from: of several the one that is seen. */
export function findAnchor(name: AnchorName): DOMRect | null {
  const boxes = Array.from(document.querySelectorAll(`[data-anchor="${name}"]`), (part) =>
    part.getBoundingClientRect(),
  );
  return boxes.find(({ width, height }) => width && height) ?? null;
}

/** A place of the board, where it can be chosen now (board/layers/Spots.svelte). */
export const findSpot = (place: string): Element | null => document.querySelector(`svg [data-place="${place}"]`);

/** A piece that stands on a place of the board (board/layers/Pieces.svelte). */
export const findPiece = (place: string): Element | null => document.querySelector(`[data-piece="${place}"]`);
