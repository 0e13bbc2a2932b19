// How much of the board is seen: zoomed and moved within its box, never away from it. Numbers alone, no page.

import type { Point } from "../../game/places/geometry";

interface Size {
  width: number;
  height: number;
}

/** Pixels that the board is shown in, and the size of its picture. */
export interface Box extends Size {
  picture: Size;
}

/** The board as it fits the box is enlarged by `scale` and then moved by `x` and `y` (pixels). */
export interface Viewport extends Point {
  scale: number;
}

export const WHOLE_BOARD: Viewport = { scale: 1, x: 0, y: 0 };
export const CLOSEST = 4;
/** By so much a press of a button or a key zooms. */
export const ZOOM_STEP = 1.5;

/** Pixels for a unit of the picture when the whole board fits the box. */
export function fitScale({ width, height, picture }: Box): number {
  return Math.min(width / picture.width, height / picture.height);
}

/** A point of the picture in pixels of the box. */
export function toBox(point: Point, viewport: Viewport, box: Box): Point {
  const unit = fitScale(box);
  return {
    x: ((box.width - box.picture.width * unit) / 2 + point.x * unit) * viewport.scale + viewport.x,
    y: ((box.height - box.picture.height * unit) / 2 + point.y * unit) * viewport.scale + viewport.y,
  };
}

/** Pixels of the box as a point of the picture. */
export function toBoard(point: Point, viewport: Viewport, box: Box): Point {
  const unit = fitScale(box);
  return {
    x: ((point.x - viewport.x) / viewport.scale - (box.width - box.picture.width * unit) / 2) / unit,
    y: ((point.y - viewport.y) / viewport.scale - (box.height - box.picture.height * unit) / 2) / unit,
  };
}

/** Zoomed by a factor; what lies under `point` (pixels of the box) stays there. */
export function zoomViewport(viewport: Viewport, factor: number, point: Point, box: Box): Viewport {
  const scale = Math.min(CLOSEST, Math.max(1, viewport.scale * factor));
  const by = scale / viewport.scale;
  return held({ scale, x: point.x - (point.x - viewport.x) * by, y: point.y - (point.y - viewport.y) * by }, box);
}

export function moveViewport(viewport: Viewport, dx: number, dy: number, box: Box): Viewport {
  return held({ ...viewport, x: viewport.x + dx, y: viewport.y + dy }, box);
}

/** Moved just so far that a point of the picture is seen, `margin` pixels from the rim of the box. */
export function revealPoint(point: Point, viewport: Viewport, box: Box, margin: number): Viewport {
  const { x, y } = toBox(point, viewport, box);
  const into = (at: number, size: number): number => {
    const rim = Math.min(margin, size / 2);
    return at < rim ? rim - at : at > size - rim ? size - rim - at : 0;
  };
  const [dx, dy] = [into(x, box.width), into(y, box.height)];
  return dx || dy ? moveViewport(viewport, dx, dy, box) : viewport;
}

/** No gap between board and box, as far as the board is larger; else it stands in the middle. */
function held({ scale, x, y }: Viewport, box: Box): Viewport {
  const unit = fitScale(box) * scale;
  return {
    scale,
    x: within(x, box.width, box.picture.width * unit, scale),
    y: within(y, box.height, box.picture.height * unit, scale),
  };
}

function within(offset: number, box: number, board: number, scale: number): number {
  const middle = (box - box * scale) / 2;
  const slack = Math.max(0, (board - box) / 2);
  return Math.min(middle + slack, Math.max(middle - slack, offset));
}
