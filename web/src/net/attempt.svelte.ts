// What the page asks of the host when something is opened or pressed: whether it is under way, and what went wrong.

import { apiErrorOrThrow, type ApiRefusal } from "./request";

export class Attempt {
  /** It is under way. */
  busy = $state(false);
  /** The reason why the last one failed; empty: it did not, or another one is under way. */
  error = $state("");

  constructor(private readonly refusalText: (refusal: ApiRefusal) => string) {}

  /** Try it; true: it went well. A mistake of the page is thrown on. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    [this.busy, this.error] = [true, ""];
    try {
      await work();
      return true;
    } catch (failure) {
      this.error = this.refusalText(apiErrorOrThrow(failure).refusal);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
