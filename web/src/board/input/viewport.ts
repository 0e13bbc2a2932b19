// How much of the chart is seen: zoomed and moved within its box, never away from it. Numbers alone, no page.

import { HEIGHT, WIDTH, type Point } from "../../game/places/geometry";

export interface Box {
  width: number;
  height: number;
}

/** The chart as it fits the box is enlarged by `scale` and then moved by `x` and `y` (pixels). */
export interface Sight extends Point {
  scale: number;
}

export const WHOLE: Sight = { scale: 1, x: 0, y: 0 };
export const CLOSEST = 4;

/** Pixels for a unit of the picture when the whole chart fits the box. */
export function fitting(box: Box): number {
  return Math.min(box.width / WIDTH, box.height / HEIGHT);
}

/** A point of the picture in pixels of the box. */
export function toBox(point: Point, sight: Sight, box: Box): Point {
  const unit = fitting(box);
  return {
    x: ((box.width - WIDTH * unit) / 2 + point.x * unit) * sight.scale + sight.x,
    y: ((box.height - HEIGHT * unit) / 2 + point.y * unit) * sight.scale + sight.y,
  };
}

/** Pixels of the box as a point of the picture. */
export function toChart(point: Point, sight: Sight, box: Box): Point {
  const unit = fitting(box);
  return {
    x: ((point.x - sight.x) / sight.scale - (box.width - WIDTH * unit) / 2) / unit,
    y: ((point.y - sight.y) / sight.scale - (box.height - HEIGHT * unit) / 2) / unit,
  };
}

/** Zoomed by a factor; what lies under `point` (pixels of the box) stays there. */
export function zoomed(sight: Sight, factor: number, point: Point, box: Box): Sight {
  const scale = Math.min(CLOSEST, Math.max(1, sight.scale * factor));
  const by = scale / sight.scale;
  return held({ scale, x: point.x - (point.x - sight.x) * by, y: point.y - (point.y - sight.y) * by }, box);
}

export function moved(sight: Sight, dx: number, dy: number, box: Box): Sight {
  return held({ ...sight, x: sight.x + dx, y: sight.y + dy }, box);
}

/** Moved just so far that a point of the picture is seen, `margin` pixels from the rim of the box. */
export function showing(point: Point, sight: Sight, box: Box, margin: number): Sight {
  const { x, y } = toBox(point, sight, box);
  const into = (at: number, size: number): number => {
    const rim = Math.min(margin, size / 2);
    return at < rim ? rim - at : at > size - rim ? size - rim - at : 0;
  };
  const [dx, dy] = [into(x, box.width), into(y, box.height)];
  return dx || dy ? moved(sight, dx, dy, box) : sight;
}

/** No gap between chart and box, as far as the chart is larger; else it stands in the middle. */
function held({ scale, x, y }: Sight, box: Box): Sight {
  const unit = fitting(box) * scale;
  return {
    scale,
    x: within(x, box.width, WIDTH * unit, scale),
    y: within(y, box.height, HEIGHT * unit, scale),
  };
}

function within(offset: number, box: number, chart: number, scale: number): number {
  const middle = (box - box * scale) / 2;
  const slack = Math.max(0, (chart - box) / 2);
  return Math.min(middle + slack, Math.max(middle - slack, offset));
}
