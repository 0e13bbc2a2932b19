// A few words beside something: on hover, on focus by keys, and on a long press. Above it, or below where there is no
// room; never beyond the window.

import type { Attachment } from "svelte/attachments";
import sizes from "../../styles/sizes.json";

const { "space-2": AWAY, "space-1": RIM } = sizes;
const HOVER = 250;
/** Milliseconds after which a press asks for words, and means nothing else. */
export const LONG_PRESS = 450;
/** Milliseconds to come from something to the words beside it: with a pointer, with a finger. */
const LINGER = 300;
const FINGER_LINGER = 4000;

export class Bubble {
  shown = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = false;

  show(after = 0): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.shown = true), after);
  }

  readonly hide = (): void => {
    clearTimeout(this.timer);
    this.shown = false;
  };

  /** Hide it unless the pointer comes to the words. */
  readonly leave = ({ pointerType }: PointerEvent): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.hide, pointerType === "mouse" ? LINGER : FINGER_LINGER);
  };

  readonly stay = (): void => clearTimeout(this.timer);

  /** The press that has just ended was a long one: it asked for the words, and means nothing else. */
  wasHeld(): boolean {
    const held = this.held;
    this.held = false;
    return held;
  }

  readonly enter = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") this.show(HOVER);
  };

  readonly press = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") return;
    this.held = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.held = this.shown = true), LONG_PRESS);
  };

  readonly focus = (event: FocusEvent): void => {
    if ((event.currentTarget as Element).matches(":focus-visible")) this.show();
  };

  readonly escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.hide();
  };

  /** For the element with the words: it is put beside its anchor when it is shown. */
  beside(anchor: () => Element | undefined, words: () => string): Attachment<HTMLElement> {
    return (element) => {
      $effect(() => {
        if (!this.shown) return;
        void words();
        const root = anchor()?.getBoundingClientRect();
        if (!root) return;
        const { width, height } = element.getBoundingClientRect();
        const above = root.top - height - AWAY;
        const middle = root.left + (root.width - width) / 2;
        const left = Math.max(RIM, Math.min(document.documentElement.clientWidth - width - RIM, middle));
        const top = above >= RIM ? above : Math.min(root.bottom + AWAY, Math.max(RIM, innerHeight - height - RIM));
        [element.style.left, element.style.top] = [`${left}px`, `${top}px`];
        const at = element.getBoundingClientRect(); // what it is put against is not always the window
        [element.style.left, element.style.top] = [`${2 * left - at.left}px`, `${2 * top - at.top}px`];
      });
    };
  }
}
