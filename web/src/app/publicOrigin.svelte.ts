// Where others reach this house: the links of a page that was opened on the host's own machine must not name that
// machine "localhost".

import { fetchStatistics } from "../net/rest/server";

const HERE = new Set(["localhost", "127.0.0.1", "[::1]"]);

export class PublicOrigin {
  private link = $state<string | null>(null);
  private answered = $state(false);

  /** The beginning of a link for others. */
  get origin(): string {
    return this.link ?? location.origin;
  }

  /** Nobody but this machine reaches the house. */
  get onlyHere(): boolean {
    return this.answered && this.link === null;
  }

  /** Ask the host, where it matters. */
  async load(): Promise<void> {
    if (this.answered || !HERE.has(location.hostname)) return;
    try {
      const { link } = await fetchStatistics();
      [this.link, this.answered] = [link ?? null, true];
    } catch {
      // then the next page asks
    }
  }
}
