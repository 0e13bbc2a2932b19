// What window the page is in, as scripts ask it; styles ask the same list (styles/layouts.json).

import { windows } from "../styles/layouts.json";

/** Whether a media query holds, now and as it changes. */
export function media(query: string): { readonly matches: boolean } {
  const list = globalThis.matchMedia?.(query);
  let matches = $state(list?.matches ?? false);
  list?.addEventListener("change", () => (matches = list.matches));
  return {
    get matches() {
      return matches;
    },
  };
}

/** Wide enough for three columns. */
export const wide = media(windows.wide);
/** Too low for all that is nice to have. */
export const low = media(windows.low);
/** Room to say which key does what, where there are keys. */
export const keysFit = media(windows.keyed);
