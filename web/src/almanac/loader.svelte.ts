// Something of the almanac that is shown when it is there. What was shown before stays until then.

import { apiErrorOrThrow } from "../net/request";
import type { Speech } from "../game/speech/speech.svelte";

export class Loader<T> {
  value = $state.raw<T | null>(null);
  /** Why it did not come; empty: it did, or is on its way. */
  error = $state("");
  private tries = $state(0);

  /** To be made with a component; null: nothing is wanted. */
  constructor({ refusalText }: Speech, wanted: () => Promise<T> | null) {
    $effect(() => {
      void this.tries;
      const request = wanted();
      let stale = false;
      if (!request) [this.value, this.error] = [null, ""];
      else {
        request.then(
          (value) => stale || ([this.value, this.error] = [value, ""]),
          (failure: unknown) => {
            const { refusal } = apiErrorOrThrow(failure);
            if (!stale) [this.value, this.error] = [null, refusalText(refusal)];
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
