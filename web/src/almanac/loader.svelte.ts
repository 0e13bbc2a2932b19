// Something of the almanac that is shown when it is there. What was shown before stays until then.

import { ApiError } from "../net/api";
import { once } from "./links";
import { problem } from "../game/speech.svelte";

export interface Wanted<T> {
  /** Names what is wanted; the same name means the same thing. */
  key: string;
  get: () => Promise<T>;
}

export class Loaded<T> {
  value = $state.raw<T | null>(null);
  /** Why it did not come; empty: it did, or is on its way. */
  trouble = $state("");
  private tries = $state(0);

  /** To be made with a component; null: nothing is wanted. */
  constructor(wanted: () => Wanted<T> | null) {
    $effect(() => {
      void this.tries;
      const what = wanted();
      let stale = false;
      if (!what) [this.value, this.trouble] = [null, ""];
      else {
        once(what.key, what.get).then(
          (value) => stale || ([this.value, this.trouble] = [value, ""]),
          (no: unknown) => {
            if (!(no instanceof ApiError)) throw no;
            if (!stale) [this.value, this.trouble] = [null, problem(no.problem)];
          },
        );
      }
      return () => (stale = true);
    });
  }

  readonly retry = (): void => {
    this.tries += 1;
  };
}
