// Single keys for those who know them; they can be chosen and switched off, and never act while somebody writes.

import { i18n } from "../words/i18n.svelte";
import { lookup } from "../app/almanacPanel.svelte";
import { keymap, type Deed } from "../app/storage/keymap.svelte";
import type { Play } from "../game/play/play.svelte";

export function shortcut(event: KeyboardEvent, play: Play): void {
  const target = event.target as Element | null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target?.closest("input, textarea, select, dialog")) return;
  const deed = keymap.deed(event.key);
  if (event.key === "Escape") {
    play.cancel();
    if (play.trading) play.closeTrade();
  } else if (!deed || !done(deed, play)) return;
  event.preventDefault();
}

/** The rule behind why the button with the focus cannot be pressed, or behind a refusal that is shown; null: none is. */
function inSight(): string | null {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-rule]")];
  const own = document.activeElement?.closest(".tip");
  const link = links.find((one) => own?.contains(one)) ?? links.find((one) => one.checkVisibility());
  return link ? link.pathname + link.search : null;
}

/** Do it, if it can be done now. */
function done(deed: Deed, play: Play): boolean {
  const { table } = play;
  const act = (text: string | undefined): boolean => {
    if (!text || !table.can(text)) return false;
    void table.act(text);
    return true;
  };
  switch (deed) {
    case "roll":
      if (!play.realDice) return act(deed);
      play.ondice();
      return true;
    case "end":
      return act(deed);
    case "card":
      return act("buy");
    case "accept":
    case "reject":
      return act(table.of(deed)[0]?.text); // the first offer that can be answered so
    case "board":
      play.onboard();
      return true;
    case "rules":
      lookup.show(inSight() ?? `/rules?edition=${i18n.edition}`);
      return true;
    case "trade":
      if (!play.trading && play.reason("offer")) return false;
      if (play.trading) play.closeTrade();
      else play.openTrade();
      return true;
    default:
      if (!table.of(deed).length) return false;
      play.choose(deed);
      return true;
  }
}
