// Something that is shown when it has come. What was shown before stays until then.

import { apiErrorOrThrow, type ApiRefusal } from "./request";

export class Loader<T> {
  value = $state.raw<T | null>(null);
  /** The reason why it did not come; empty: it did, or is on its way. */
  error = $state("");
  private tries = $state(0);

  /** To be made with a component; null: nothing is wanted. */
  constructor(refusalText: (refusal: ApiRefusal) => string, wanted: () => Promise<T> | null) {
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
