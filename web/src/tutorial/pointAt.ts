// Marks what a hint speaks of: a part of the page or of the board gets a ring (the attribute data-hint, see
// styles/hints.css). What is drawn anew, or opens, is marked as soon as it is there.

import { findPart } from "../app/pageParts";
import type { HintTarget } from "./steps";

const MARK = "data-hint";

function find({ place, piece, parts = [] }: HintTarget): Element | null {
  if (place) return document.querySelector(`.spot[data-place="${place}"]`);
  if (piece) return document.querySelector(`[data-piece="${piece}"]`);
  const found = parts.map(findPart);
  return found.find((one) => one?.checkVisibility()) ?? null;
}

/** Mark it from now on, and bring it into sight; returns how to stop that. */
export function pointAt(point: HintTarget): () => void {
  let frame = 0;
  let marked: Element | null = null;
  const look = (): void => {
    frame = 0;
    const found = find(point);
    if (found === marked && (!found || found.hasAttribute(MARK))) return;
    marked?.removeAttribute(MARK);
    marked = found;
    found?.setAttribute(MARK, "");
    (point.place ? found?.closest(".board") : found)?.scrollIntoView({ block: "nearest" });
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
