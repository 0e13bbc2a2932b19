// The keys are never nowhere. Where what had the focus goes away, because it was pressed or because the game went on,
// the focus goes back to where it was before; that is to whatever opened what has closed. A page that is new begins at
// its heading. Where something is asked, the keys are led there, if they are not in use elsewhere.

const LONGEST = 30;
/** Milliseconds in which a press was meant for what has just gone. */
const LATE = 350;
const WRITTEN = "input, textarea, select";

type Focusable = HTMLElement | SVGElement;
/** Puts the focus somewhere. */
export type FocusMove = () => void | Promise<void>;

export class FocusTrail {
  private places: Focusable[] = [];
  /** What has the focus, or had it until it went away; null: nothing, and nobody wants it otherwise. */
  private here: Focusable | null = null;
  /** It could be pressed when the focus came to it. */
  private able = false;
  /** To what is asked now. */
  private goal: FocusMove | null = null;
  /** Nobody has gone anywhere on this page, nor pointed. */
  private fresh = true;
  private moved = -LATE;
  private byKeys = false;
  private frame = 0;

  /** Keep to it from now on; returns how to stop that. */
  keep(): () => void {
    const changes = new MutationObserver(this.checkSoon);
    const attributeFilter = ["disabled", "class", "hidden", "open"];
    changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
    document.addEventListener("focusin", this.came);
    document.addEventListener("focusout", this.checkSoon);
    document.addEventListener("keydown", this.pressed, true);
    document.addEventListener("pointerdown", this.pointed, true);
    return () => {
      changes.disconnect();
      cancelAnimationFrame(this.frame);
      document.removeEventListener("focusin", this.came);
      document.removeEventListener("focusout", this.checkSoon);
      document.removeEventListener("keydown", this.pressed, true);
      document.removeEventListener("pointerdown", this.pointed, true);
    };
  }

  /** Another page is shown. */
  arrive(): void {
    this.places = [];
    this.begin(document);
  }

  /**
   * Something is asked, and this is the way there; null: nothing is. Whoever goes by keys is taken there from nowhere,
   * from a heading, and from what can no longer be pressed; from anywhere if they have `opened` it.
   */
  lead(goal: FocusMove | null, opened = false): void {
    this.goal = goal;
    if (goal && this.byKeys && !document.querySelector("dialog:modal") && (opened || this.idle()))
      void this.follow(goal);
  }

  private async follow(goal: FocusMove): Promise<void> {
    await goal();
    this.moved = performance.now();
  }

  private idle(): boolean {
    const active = document.activeElement;
    if (!active || active === document.body) return true;
    return active.matches("h1, h2") || (this.able && !pressable(active));
  }

  private readonly came = ({ target }: FocusEvent): void => {
    this.here = target as Focusable;
    this.able = pressable(this.here);
    this.fresh = false;
    this.moved = -LATE; // on by oneself
    const others = this.places.filter((candidate) => candidate !== target && candidate.isConnected);
    this.places = [...others, this.here].slice(-LONGEST);
  };

  private readonly pointed = (): void => {
    this.byKeys = this.fresh = false;
  };

  /** A key that is held down presses once, and not what comes after what was pressed. */
  private readonly pressed = (event: KeyboardEvent): void => {
    this.byKeys = true;
    if (event.key === "Tab" && !event.shiftKey && this.fresh && this.goal) {
      event.preventDefault(); // the first step on a page leads to what is asked
      void this.goal();
    }
    const presses = event.key === "Enter" || event.key === " ";
    if (!presses || (event.target as Element).closest(WRITTEN)) return;
    if (!event.repeat && performance.now() - this.moved >= LATE) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly checkSoon = (): void => {
    if (this.here && !this.frame) this.frame = requestAnimationFrame(() => this.check());
  };

  private check(): void {
    this.frame = 0;
    const [here, active] = [this.here, document.activeElement];
    if (!here || (active !== here && active !== document.body && active !== null)) return;
    if (!there(here)) this.back();
    else if (active !== here) this.here = null; // left on purpose
  }

  /** To the last place that is still there; who did not write does not begin to. */
  private back(): void {
    const scope = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
    const place = this.places.findLast(
      (candidate) => scope.contains(candidate) && !candidate.matches(WRITTEN) && there(candidate),
    );
    if (place)
      place.focus({ preventScroll: !this.byKeys }); // a mouse has not lost its way
    else this.begin(scope);
    this.moved = performance.now();
  }

  private begin(scope: ParentNode): void {
    const heading = scope.querySelector<HTMLElement>("h1, h2");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/** Whether something is there to be pressed. */
function pressable(place: Element): boolean {
  return !place.matches(":disabled, [aria-disabled=true], [role=img]");
}

/** Whether something can have the focus. */
function there(place: Focusable): boolean {
  return place.isConnected && !place.matches(":disabled") && place.checkVisibility();
}
