// Drawings come from the host, from the same pens as every other picture: the bare board, and the kit of pieces and
// signs, which lies once in the page; `<use href="#piece-city-red">` shows a part of it.

import type { Color } from "../generated/protocol";
import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";
import type { Appearance } from "./appearance";
import { COLORS } from "../generated/names";
import { fetchDrawing, kitPath } from "../net/rest/drawings";

interface Policy {
  createHTML(text: string): string;
}

interface WithPolicies {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** Browsers that know it let markup be read only under a policy that the page's content policy names. */
const policy: Policy = (globalThis as WithPolicies).trustedTypes?.createPolicy("hexholm-drawing", {
  createHTML: (text) => text,
}) ?? { createHTML: (text) => text };

const AGAIN = 2000;

/** Put a drawing into an element; it is read as an image, so nothing in it can act. */
export function inlineSvg(text: string): Attachment<Element> {
  return (element) => {
    if (!text) return; // not there yet
    const parsed = new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    for (const script of parsed.querySelectorAll("script, foreignObject")) script.remove();
    for (const part of parsed.querySelectorAll("*"))
      for (const { name, value } of [...part.attributes]) {
        const leadsOut = name.endsWith("href") && !value.startsWith("#");
        if (name.startsWith("on") || leadsOut) part.removeAttribute(name);
      }
    parsed.removeAttribute("role"); // whoever shows it says what it is
    parsed.removeAttribute("aria-labelledby");
    parsed.querySelector(":scope > title")?.remove();
    parsed.querySelector(":scope > desc")?.remove();
    element.replaceChildren(document.importNode(parsed, true));
  };
}

/** A drawing that a page needs: fetched, anew when its path changes, and again when it did not come. */
export class Picture {
  text = $state("");
  /** It did not come, and there is no older one to show. */
  missing = $state(false);
  private tries = $state(0);

  constructor(path: () => string) {
    $effect(() => {
      void this.tries;
      let stale = false;
      fetchDrawing(path()).then(
        (text) => stale || ([this.text, this.missing] = [text, false]),
        () => stale || (this.missing = !untrack(() => this.text)),
      );
      return () => (stale = true);
    });
  }

  readonly retry = (): void => {
    this.tries += 1;
  };
}

/** The kit of the page, once for all that is shown; App.svelte lays it there. */
export class DrawingKit {
  text = $state("");
  private wanted = "";

  constructor(private readonly appearance: Pick<Appearance, "theme">) {}

  /** Show the players of a table as long as a component is there; null: they are not known yet. */
  follow(colors: () => readonly Color[] | null): void {
    $effect(() => {
      const players = colors();
      if (players) void this.fetch(players, this.appearance.theme);
    });
  }

  /** The kit for the players of a table, in the order of their seats: their marks follow from it. */
  private async fetch(colors: readonly Color[], theme: string): Promise<void> {
    const order = [...colors, ...COLORS.filter((color) => !colors.includes(color))].slice(0, 6);
    const path = kitPath(order, theme);
    if (path === this.wanted) return;
    this.wanted = path;
    await this.bring(path);
  }

  private async bring(path: string): Promise<void> {
    const text = await fetchDrawing(path).catch(() => null);
    if (path !== this.wanted) return; // another one is under way
    if (text !== null) this.text = text;
    else setTimeout(() => path === this.wanted && void this.bring(path), AGAIN);
  }
}
