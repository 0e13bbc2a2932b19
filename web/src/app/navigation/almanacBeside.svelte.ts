// The almanac beside a page, as at the table: what of it is open. It is kept with the browser's history, so that going
// back leads to what was read before, and then to the page it was opened from, which never went away.

interface OpenAlmanac {
  rules: string;
  /** How many steps back the page without it is. */
  depth: number;
}

function openIn(state: unknown): OpenAlmanac | null {
  const kept = state as Partial<OpenAlmanac> | null;
  return typeof kept?.rules === "string" ? { rules: kept.rules, depth: kept.depth ?? 1 } : null;
}

export class AlmanacBeside {
  private shown = $state.raw<OpenAlmanac | null>(openIn(history.state));
  /** It was closed, and the history is on its way back: browsers take a moment. */
  private closing = false;

  /** The address that is read beside the page: "/rules/robber?edition=zip"; null: none. */
  get path(): string | null {
    return this.shown?.rules ?? null;
  }

  show(path: string): void {
    if (path === this.shown?.rules) return;
    this.shown = { rules: path, depth: (this.shown?.depth ?? 0) + 1 };
    if (!this.closing) history.pushState(this.shown, ""); // the address stays that of the page
  }

  back(): void {
    if (openIn(history.state)) history.back();
    else this.shown = null;
  }

  close(): void {
    const kept = openIn(history.state);
    this.shown = null;
    if (!kept) return;
    this.closing = true;
    history.go(-kept.depth);
  }

  /** Another page is shown. */
  leave(): void {
    this.shown = null;
  }

  /** The browser has gone back or forward. */
  follow({ state }: { readonly state: unknown }): void {
    if (!this.closing) this.shown = openIn(state);
    else if (this.shown) history.pushState(this.shown, ""); // opened again meanwhile
    this.closing = false;
  }
}
