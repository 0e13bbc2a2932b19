// The almanac beside a page, as at the table: what of it is open. It is kept with the browser's history, so that going
// back leads to what was read before, and then to the page it was opened from, which never went away.

interface Open {
  rules: string;
  /** How many steps back the page without it is. */
  depth: number;
}

function openIn(state: unknown): Open | null {
  const found = state as Partial<Open> | null;
  return typeof found?.rules === "string" ? { rules: found.rules, depth: found.depth ?? 1 } : null;
}

/** It was closed, and the history is on its way back: browsers take a moment. */
let closing = false;
let open = $state.raw<Open | null>(openIn(globalThis.history?.state));

export const almanacBeside = {
  /** The address that is read beside the page: "/rules/robber?edition=zip"; null: none. */
  get path(): string | null {
    return open?.rules ?? null;
  },
  show(path: string): void {
    if (path === open?.rules) return;
    open = { rules: path, depth: (open?.depth ?? 0) + 1 };
    if (!closing) history.pushState(open, ""); // the address stays that of the page
  },
  back(): void {
    if (openIn(history.state)) history.back();
    else open = null;
  },
  close(): void {
    const kept = openIn(history.state);
    open = null;
    if (!kept) return;
    closing = true;
    history.go(-kept.depth);
  },
  /** Another page is shown. */
  leave(): void {
    open = null;
  },
};

globalThis.addEventListener?.("popstate", ({ state }: PopStateEvent) => {
  if (!closing) open = openIn(state);
  else if (open) history.pushState(open, ""); // opened again meanwhile
  closing = false;
});
