// Marks what a hint speaks of: a part of the page or of the board gets a ring (the attribute data-hint, see
// styles/hints.css). What is drawn anew, or opens, is marked as soon as it is there.

import { findPart, findPiece, findSpot } from "../app/pageParts";
import type { HintTarget } from "./situation";

const MARK = "data-hint";

function find({ place, piece, names = [] }: HintTarget): Element | null {
  if (place) return findSpot(place);
  if (piece) return findPiece(piece);
  const candidates = names.map(findPart);
  return candidates.find((part) => part?.checkVisibility()) ?? null;
}

/** Mark it from now on, and bring it into sight; returns how to stop that. */
export function pointAt(point: HintTarget): () => void {
  let frame = 0;
  let marked: Element | null = null;
  const look = (): void => {
    frame = 0;
    const element = find(point);
    if (element === marked && (!element || element.hasAttribute(MARK))) return;
    marked?.removeAttribute(MARK);
    marked = element;
    element?.setAttribute(MARK, "");
    (point.place ? element?.closest(".board") : element)?.scrollIntoView({ block: "nearest" });
  };
  const changes = new MutationObserver(() => (frame ||= requestAnimationFrame(look)));
  changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
  look();
  return () => {
    changes.disconnect();
    cancelAnimationFrame(frame);
    marked?.removeAttribute(MARK);
  };
}
