// Something of the almanac that is shown when it is there. What was shown before stays until then.

import { apiErrorOrThrow } from "../net/api";
import { getApp } from "../app/appContext";
import type { Speech } from "../game/speech.svelte";

export interface WantedAnswer<T> {
  /** Names what is wanted; the same name means the same thing. */
  key: string;
  get: () => Promise<T>;
}

export class Loader<T> {
  value = $state.raw<T | null>(null);
  /** Why it did not come; empty: it did, or is on its way. */
  trouble = $state("");
  private tries = $state(0);

  /** To be made with a component; null: nothing is wanted. */
  constructor({ problem }: Speech, wanted: () => WantedAnswer<T> | null) {
    const { ruleAnswers } = getApp();
    $effect(() => {
      void this.tries;
      const what = wanted();
      let stale = false;
      if (!what) [this.value, this.trouble] = [null, ""];
      else {
        ruleAnswers.once(what.key, what.get).then(
          (value) => stale || ([this.value, this.trouble] = [value, ""]),
          (failure: unknown) => {
            const refused = apiErrorOrThrow(failure);
            if (!stale) [this.value, this.trouble] = [null, problem(refused.problem)];
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
