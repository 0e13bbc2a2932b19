// The chart under one's fingers: pinch and drag, Ctrl and the wheel. A drag that cannot move the chart any further is
// left to the page, so the board never holds the page's scrolling.

import type { Attachment } from "svelte/attachments";
import { on } from "svelte/events";
import { at, type Point } from "../../game/places/geometry";
import { CLOSEST, WHOLE, fitting, moved, showing, toBox, toChart, zoomed, type Box, type Sight } from "./viewport";

interface Spread {
  apart: number;
  middle: Point;
}

export class Chart {
  box = $state.raw<Box>({ width: 1, height: 1 });
  sight = $state.raw<Sight>(WHOLE);
  /** A gesture is under way. */
  moving = $state(false);
  /** The press that is under way, or has just ended, moved the chart: it chooses nothing. */
  dragged = false;

  private element: Element | null = null;

  /** Pixels for a unit of the picture. */
  get unit(): number {
    return fitting(this.box) * this.sight.scale;
  }

  /** Pixels between the left of the box and the chart. */
  get rim(): number {
    return Math.max(0, toBox({ x: 0, y: 0 }, this.sight, this.box).x);
  }

  get whole(): boolean {
    return this.sight.scale === 1;
  }

  get closest(): boolean {
    return this.sight.scale >= CLOSEST;
  }

  /** A place in pixels of the box. */
  pixels(place: string): Point {
    return toBox(at(place), this.sight, this.box);
  }

  /** Where in the picture something happened. */
  point(event: MouseEvent): Point {
    return toChart(this.inBox(event), this.sight, this.box);
  }

  zoom(factor: number, event?: MouseEvent): void {
    const about = event ? this.inBox(event) : { x: this.box.width / 2, y: this.box.height / 2 };
    this.sight = zoomed(this.sight, factor, about, this.box);
  }

  fit(): void {
    this.sight = WHOLE;
  }

  reveal(place: string): void {
    this.sight = showing(at(place), this.sight, this.box, Math.max(48, 70 * this.unit));
  }

  readonly gestures: Attachment<HTMLElement> = (element) => {
    this.element = element;
    const size = new ResizeObserver(() => {
      this.box = { width: element.clientWidth || 1, height: element.clientHeight || 1 };
      this.sight = moved(this.sight, 0, 0, this.box);
    });
    size.observe(element);
    const active = { passive: false };
    const ends = [
      on(element, "wheel", (event) => this.wheel(event), active),
      on(element, "touchstart", (event) => this.touched(event), active),
      on(element, "touchmove", (event) => this.stroked(event), active),
      on(element, "touchend", (event) => this.lifted(event)),
      on(element, "touchcancel", (event) => this.lifted(event)),
      on(element, "pointerdown", (event) => this.grasp(event, element)),
    ];
    return () => {
      size.disconnect();
      for (const end of ends) end();
    };
  };

  private inBox({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left = 0, top = 0 } = this.element?.getBoundingClientRect() ?? {};
    return { x: clientX - left, y: clientY - top };
  }

  private turning: ReturnType<typeof setTimeout> | undefined;

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    this.moving = true;
    clearTimeout(this.turning);
    this.turning = setTimeout(() => (this.moving = false), 160);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.004), event);
  }

  // --- fingers ---

  private fingers: Spread | null = null;
  private finger: Point | null = null;
  private drags: "undecided" | "chart" | "page" = "undecided";

  private touched(event: TouchEvent): void {
    if (event.touches.length === 1) {
      this.dragged = false;
      this.drags = "undecided";
      this.finger = this.inBox(event.touches[0] as Touch);
    } else if (event.touches.length === 2) {
      event.preventDefault();
      this.fingers = this.spread(event.touches);
      this.dragged = this.moving = true;
    }
  }

  private stroked(event: TouchEvent): void {
    if (event.touches.length === 2 && this.fingers) {
      event.preventDefault();
      const now = this.spread(event.touches);
      const { apart, middle } = this.fingers;
      const shifted = moved(this.sight, now.middle.x - middle.x, now.middle.y - middle.y, this.box);
      this.sight = zoomed(shifted, now.apart / apart, now.middle, this.box);
      this.fingers = now;
    } else if (event.touches.length === 1 && this.finger && !this.whole && this.drags !== "page") {
      const now = this.inBox(event.touches[0] as Touch);
      const [dx, dy] = [now.x - this.finger.x, now.y - this.finger.y];
      const sight = moved(this.sight, dx, dy, this.box);
      if (this.drags === "undecided") {
        const goes = Math.abs(dx) > Math.abs(dy) ? sight.x !== this.sight.x : sight.y !== this.sight.y;
        this.drags = goes && event.cancelable ? "chart" : "page";
        if (this.drags === "page") return;
      }
      event.preventDefault();
      this.dragged = this.moving = true;
      this.sight = sight;
      this.finger = now;
    }
  }

  private lifted(event: TouchEvent): void {
    this.fingers = null;
    const left = event.touches[0];
    this.finger = left ? this.inBox(left) : null;
    this.drags = left ? "chart" : "undecided";
    if (!left) this.moving = false;
  }

  private spread(touches: TouchList): Spread {
    const [a, b] = [this.inBox(touches[0] as Touch), this.inBox(touches[1] as Touch)];
    return {
      apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
      middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    };
  }

  // --- the mouse: drags what is enlarged ---

  private grasp(event: PointerEvent, element: HTMLElement): void {
    if (event.pointerType === "touch") return;
    this.dragged = false;
    if (this.whole || event.button !== 0) return;
    const from = this.inBox(event);
    const sight = this.sight;
    const drag = on(element, "pointermove", (move) => {
      const now = this.inBox(move);
      if (!this.dragged && Math.hypot(now.x - from.x, now.y - from.y) < 5) return;
      if (!this.dragged) element.setPointerCapture(move.pointerId);
      this.dragged = this.moving = true;
      this.sight = moved(sight, now.x - from.x, now.y - from.y, this.box);
    });
    const stop = (): void => {
      drag();
      up();
      cancel();
      this.moving = false;
    };
    const up = on(element, "pointerup", stop);
    const cancel = on(element, "pointercancel", stop);
  }
}
