// How one points at places and chooses them: by mouse, by finger, by keys. What is chosen goes to the page; whether
// it may be chosen was said by the host.

import { tick } from "svelte";
import type { Direction, Geometry } from "../../game/places/geometry";
import type { PanZoom } from "./panZoom.svelte";
import type { Target } from "../../game/actions/target";
import { targetsByPlace, findMeant, walkablePlaces } from "./targets";
import { PlaceReason } from "./placeReason.svelte";
import { LONG_PRESS } from "../../components/tips/bubble.svelte";
import { ZOOM_STEP } from "./viewport";

/** What the page gives to the board. */
export interface InputOptions {
  geometry: Geometry;
  targets: readonly Target[];
  /** Ask once more before something is chosen; a finger is always asked. */
  confirm: boolean;
  /** False: it is not taken now. */
  onpick: ((target: Target) => boolean) | undefined;
  oncancel: (() => void) | undefined;
  /** The reason why nothing can be done at a place of the kind that is being chosen. */
  reasonAt: ((place: string) => Promise<string | null>) | undefined;
}

const ARROWS: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export class BoardInput {
  pointed = $state<string | null>(null);
  /** Where the keys are; null while they are elsewhere. */
  focused = $state<string | null>(null);
  private pendingAction = $state<string | null>(null);
  private current = $state<string | null>(null);
  private heading = $state<string | null>(null);
  private afar = $state(false);

  readonly placeReason = new PlaceReason(async (place) => (await this.given().reasonAt?.(place)) ?? null);
  readonly targets = $derived.by(() => targetsByPlace(this.given().targets));
  /** What waits for a second word. */
  readonly pendingTarget = $derived.by(
    () => this.given().targets.find(({ action }) => action === this.pendingAction) ?? null,
  );
  /** What is about to be done. */
  readonly ghost = $derived.by(
    () => this.pendingTarget ?? this.targets.get(this.pointed ?? "") ?? this.targets.get(this.focused ?? "") ?? null,
  );
  private readonly walk = $derived.by(() => walkablePlaces(this.geometry, this.given().targets));
  private readonly near = $derived.by(() => this.geometry.ordered(this.walk.near));
  /** Where Tab comes to: as near as can be to where the keys were. */
  readonly stop = $derived.by(
    () => (this.current && this.geometry.nearest(this.geometry.at(this.current), this.near, Infinity)) || this.near[0],
  );
  /** Where the keys can be now; the place they come from stays until they have left it. */
  readonly spots = $derived.by(() => {
    const here = [this.current, this.heading].filter((place) => place !== null);
    return this.geometry.ordered([...this.near, ...(this.afar ? this.walk.far : []), ...here]);
  });

  private finger = false;
  private tapped = { time: 0, x: 0, y: 0 };

  constructor(
    private readonly given: () => InputOptions,
    private readonly panZoom: PanZoom,
    private readonly root: () => Element,
  ) {}

  private get geometry(): Geometry {
    return this.given().geometry;
  }

  choose(target: Target, asks: boolean): void {
    this.placeReason.hush();
    if (asks && this.pendingAction !== target.action) {
      this.pendingAction = target.action;
      this.panZoom.reveal(target.place);
      return;
    }
    if (this.given().onpick?.(target)) this.pendingAction = this.pointed = null;
  }

  /** Do not do what waits for a second word. */
  refrain(): void {
    this.pendingAction = null;
  }

  // --- pointers ---

  readonly pointermove = (event: PointerEvent): void => {
    if (event.pointerType === "touch") {
      const away = Math.hypot(event.clientX - this.tapped.x, event.clientY - this.tapped.y);
      if (away > 10 && !this.placeReason.text) this.placeReason.hush();
      return;
    }
    const meant = this.panZoom.moving ? null : this.under(event);
    this.pointed = meant?.target?.place ?? null;
    if (meant?.barred) this.placeReason.explain(meant.barred, 300);
    else this.placeReason.fade();
  };

  readonly pointerdown = (event: PointerEvent): void => {
    this.finger = event.pointerType === "touch";
    if (!this.finger) return;
    this.pointed = null;
    this.placeReason.hush();
    this.tapped = { ...this.tapped, x: event.clientX, y: event.clientY };
    const place = this.geometry.nearest(this.panZoom.point(event), this.walk.far, 60);
    if (place && this.targets.size && !this.targets.has(place)) this.placeReason.explain(place, LONG_PRESS);
  };

  readonly pointercancel = (): void => this.placeReason.hush();

  readonly pointerleave = (): void => {
    this.pointed = null;
    if (!this.focused && !this.finger) this.placeReason.fade();
  };

  readonly contextmenu = (event: MouseEvent): void => {
    if (this.finger) event.preventDefault(); // a long press asks why
  };

  readonly click = (event: MouseEvent): void => {
    if (this.panZoom.dragged || (this.finger && this.placeReason.text)) return; // a drag, a long press
    const { confirm } = this.given();
    if (event.detail === 0) {
      // not by a pointer: by what reads the page aloud, for instance
      const place = (event.target as Element).closest<SVGElement>("[data-place]")?.dataset.place;
      const target = this.targets.get(place ?? "");
      if (target) this.choose(target, confirm);
      return;
    }
    const { target, barred } = this.under(event);
    if (target) return this.choose(target, confirm || this.finger);
    this.pendingAction = null;
    if (barred && !this.finger) this.placeReason.explain(barred, 0);
    else this.placeReason.hush();
    const twice = event.timeStamp - this.tapped.time < 350;
    this.tapped.time = twice ? 0 : event.timeStamp;
    if (!twice) return;
    if (!this.panZoom.whole) this.panZoom.fit();
    else if (this.finger) this.panZoom.zoom(2, event);
  };

  private under(event: MouseEvent): { target: Target | null; barred: string | null } {
    return findMeant(this.geometry, this.panZoom.point(event), this.given().targets, this.panZoom.unit, this.finger);
  }

  // --- keys ---

  /** Go to a place with the keys, or to where they were. */
  async go(place: string | null | undefined = this.stop, far = false): Promise<void> {
    if (!place) return;
    [this.heading, this.afar] = [place, far];
    await tick();
    const spot = this.root().querySelector<SVGElement>(`.spot[data-place="${place}"]`);
    spot?.focus({ preventScroll: !this.panZoom.whole });
  }

  /** Something else can be chosen now: whoever goes by keys goes on from where they are. */
  follow(): void {
    this.placeReason.hush();
    const here = this.current;
    if (!here || this.targets.has(here) || !this.targets.size || !this.root().querySelector(".spot:focus")) return;
    void this.go(this.geometry.nearest(this.geometry.at(here), this.targets.keys(), Infinity));
  }

  readonly keydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private key({ key, shiftKey, repeat }: KeyboardEvent): boolean {
    const { near, panZoom } = this;
    const from = this.current ?? this.stop;
    if (!from) return false;
    const turn = ARROWS[key];
    if (turn) {
      const place = this.geometry.next(from, turn, shiftKey ? this.walk.far : near);
      if (place) void this.go(place, shiftKey);
    } else if (key === "Home") void this.go(near[0]);
    else if (key === "End") void this.go(near.at(-1));
    else if (key === "PageDown") void this.go(near[Math.min(near.length - 1, near.indexOf(from) + 1)]);
    else if (key === "PageUp") void this.go(near[Math.max(0, near.indexOf(from) - 1)]);
    else if (key === "Enter" || key === " ") this.press(from, repeat);
    else if (key === "Escape") this.escape();
    else if (key === "+" || key === "=") panZoom.zoom(ZOOM_STEP);
    else if (key === "-") panZoom.zoom(1 / ZOOM_STEP);
    else if (key === "0") panZoom.fit();
    else return false;
    return true;
  }

  private press(place: string, again: boolean): void {
    const target = this.targets.get(place);
    if (again) return;
    if (target) this.choose(target, this.given().confirm);
    else if (this.targets.size) this.placeReason.explain(place, 0);
  }

  private escape(): void {
    if (this.pendingAction) this.pendingAction = null;
    else if (this.placeReason.text) this.placeReason.hush();
    else this.given().oncancel?.();
  }

  readonly focusin = (event: FocusEvent): void => {
    const spot = event.target as SVGElement;
    const place = spot.dataset.place;
    if (!place) return;
    [this.current, this.heading] = [place, null];
    this.focused = spot.matches(":focus-visible") ? place : null;
    if (!this.focused) return;
    if (this.pendingTarget && this.pendingTarget.place !== place) this.pendingAction = null;
    this.panZoom.reveal(place);
    if (this.targets.size && !this.targets.has(place)) this.placeReason.explain(place, 150);
    else this.placeReason.hush();
  };

  readonly focusout = (): void => {
    this.focused = null;
    if (!this.pointed) this.placeReason.hush();
  };
}
