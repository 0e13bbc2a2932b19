// Which page is shown: by the path of the address. The token of a seat is in the fragment, which browsers do not send.

import { pageAt, type Page } from "./pageAddress";
import type { AlmanacBeside } from "./almanacBeside.svelte";

/** Pages that are not left to look something up: the almanac opens beside them. */
const STAYS: readonly Page["name"][] = ["new", "table", "replay"];

export class Router {
  page = $state.raw<Page>(pageAt(location.pathname, location.search));

  constructor(private readonly almanacBeside: AlmanacBeside) {}

  /** Go to a path of our own. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else {
      this.almanacBeside.leave();
      history.pushState(null, "", path);
    }
    this.syncPage();
    if (!replace) scrollTo(0, 0);
  }

  /** Follow links of our own without a reload. To be called for every click. */
  readonly click = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    const to = pageAt(link.pathname).name;
    if (to === "missing") return; // a page of the host itself
    event.preventDefault();
    if (to === "rules" && STAYS.includes(this.page.name)) this.almanacBeside.show(link.pathname + link.search);
    else this.go(link.pathname + link.search + link.hash);
  };

  /** The browser has gone back or forward. To be called whenever it does. */
  readonly follow = (event: { readonly state: unknown }): void => {
    this.almanacBeside.follow(event);
    this.syncPage();
  };

  /** Show what the address says; an address that means the page that is shown changes nothing there. */
  private syncPage(): void {
    const page = pageAt(location.pathname, location.search);
    if (JSON.stringify(page) !== JSON.stringify(this.page)) this.page = page;
  }
}
