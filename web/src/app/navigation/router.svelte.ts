// Which page is shown: by the path of the address. The token of a seat is in the fragment, which browsers do not send.

import { pageAt, type Page } from "./pageAddress";
import { almanacBeside } from "./almanacBeside.svelte";

/** Pages that are not left to look something up: the almanac opens beside them. */
const STAYS: readonly Page["name"][] = ["new", "table", "replay"];

let page = $state.raw<Page>(pageAt(globalThis.location?.pathname ?? "/", globalThis.location?.search));

/** Show what the address says; an address that means the page that is shown changes nothing there. */
function look(): void {
  const found = pageAt(location.pathname, location.search);
  if (JSON.stringify(found) !== JSON.stringify(page)) page = found;
}

export const router = {
  get page(): Page {
    return page;
  },
  /** Go to a path of our own. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else {
      almanacBeside.leave();
      history.pushState(null, "", path);
    }
    look();
    if (!replace) scrollTo(0, 0);
  },
  /** Follow links of our own without a reload. To be called for every click. */
  follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    const to = pageAt(link.pathname).name;
    if (to === "missing") return; // a page of the host itself
    event.preventDefault();
    if (to === "rules" && STAYS.includes(page.name)) {
      almanacBeside.show(link.pathname + link.search);
      return;
    }
    router.go(link.pathname + link.search + link.hash);
  },
};

globalThis.addEventListener?.("popstate", look);
