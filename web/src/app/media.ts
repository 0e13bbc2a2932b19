// What window the page is in, as scripts ask it; styles ask the same list (styles/layouts.json).

import { MediaQuery } from "svelte/reactivity";
import { windows } from "../styles/layouts.json";

export class Media {
  /** Wide enough for three columns. */
  readonly wide = new MediaQuery(windows.wide);
  /** Too low for all that is nice to have. */
  readonly low = new MediaQuery(windows.low);
  /** Room to say which key does what, where there are keys. */
  readonly keysFit = new MediaQuery(windows.keyed);
}
