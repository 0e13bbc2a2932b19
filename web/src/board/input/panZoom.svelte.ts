// The board under one's fingers: pinch and drag, Ctrl and the wheel. A drag that cannot move the board any further is
// left to the page, so the board never holds the page's scrolling.

import type { Attachment } from "svelte/attachments";
import { on } from "svelte/events";
import type { Geometry, Point } from "../../game/places/geometry";
import {
  CLOSEST,
  WHOLE_BOARD,
  fitScale,
  moveViewport,
  revealPoint,
  toBox,
  toBoard,
  zoomViewport,
  type Box,
  type Viewport,
} from "./viewport";

interface Spread {
  apart: number;
  middle: Point;
}

export class PanZoom {
  private size = $state.raw({ width: 1, height: 1 });
  readonly box: Box = $derived.by(() => ({ ...this.size, picture: this.geometry() }));
  viewport = $state.raw<Viewport>(WHOLE_BOARD);
  /** A gesture is under way. */
  moving = $state(false);
  /** The press that is under way, or has just ended, moved the board: it chooses nothing. */
  dragged = false;

  private element: Element | null = null;

  constructor(private readonly geometry: () => Geometry) {}

  /** Pixels for a unit of the picture. */
  get unit(): number {
    return fitScale(this.box) * this.viewport.scale;
  }

  /** Pixels between the left of the box and the board. */
  get rim(): number {
    return Math.max(0, toBox({ x: 0, y: 0 }, this.viewport, this.box).x);
  }

  get whole(): boolean {
    return this.viewport.scale === 1;
  }

  get closest(): boolean {
    return this.viewport.scale >= CLOSEST;
  }

  /** A place in pixels of the box. */
  pixels(place: string): Point {
    return toBox(this.geometry().at(place), this.viewport, this.box);
  }

  /** Where in the picture something happened. */
  point(event: MouseEvent): Point {
    return toBoard(this.inBox(event), this.viewport, this.box);
  }

  zoom(factor: number, event?: MouseEvent): void {
    const about = event ? this.inBox(event) : { x: this.box.width / 2, y: this.box.height / 2 };
    this.viewport = zoomViewport(this.viewport, factor, about, this.box);
  }

  fit(): void {
    this.viewport = WHOLE_BOARD;
  }

  reveal(place: string): void {
    this.viewport = revealPoint(this.geometry().at(place), this.viewport, this.box, Math.max(48, 70 * this.unit));
  }

  readonly gestures: Attachment<HTMLElement> = (element) => {
    this.element = element;
    const size = new ResizeObserver(() => {
      this.size = { width: element.clientWidth || 1, height: element.clientHeight || 1 };
      this.viewport = moveViewport(this.viewport, 0, 0, this.box);
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
  private drags: "undecided" | "board" | "page" = "undecided";

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
      const shifted = moveViewport(this.viewport, now.middle.x - middle.x, now.middle.y - middle.y, this.box);
      this.viewport = zoomViewport(shifted, now.apart / apart, now.middle, this.box);
      this.fingers = now;
    } else if (event.touches.length === 1 && this.finger && !this.whole && this.drags !== "page") {
      const now = this.inBox(event.touches[0] as Touch);
      const [dx, dy] = [now.x - this.finger.x, now.y - this.finger.y];
      const viewport = moveViewport(this.viewport, dx, dy, this.box);
      if (this.drags === "undecided") {
        const goes = Math.abs(dx) > Math.abs(dy) ? viewport.x !== this.viewport.x : viewport.y !== this.viewport.y;
        this.drags = goes && event.cancelable ? "board" : "page";
        if (this.drags === "page") return;
      }
      event.preventDefault();
      this.dragged = this.moving = true;
      this.viewport = viewport;
      this.finger = now;
    }
  }

  private lifted(event: TouchEvent): void {
    this.fingers = null;
    const left = event.touches[0];
    this.finger = left ? this.inBox(left) : null;
    this.drags = left ? "board" : "undecided";
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
    const viewport = this.viewport;
    const drag = on(element, "pointermove", (move) => {
      const now = this.inBox(move);
      if (!this.dragged && Math.hypot(now.x - from.x, now.y - from.y) < 5) return;
      if (!this.dragged) element.setPointerCapture(move.pointerId);
      this.dragged = this.moving = true;
      this.viewport = moveViewport(viewport, now.x - from.x, now.y - from.y, this.box);
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
