// Single keys for those who know them; they can be chosen and switched off, and never act while somebody writes.

import { almanacPath } from "../../app/navigation/almanacAddress";
import { DEFAULT_EDITION } from "../../generated/names";
import type { AppContext } from "../../app/appContext";
import type { KeyCommand } from "../../app/storage/keymap.svelte";
import type { TurnDraft } from "../../game/play/turnDraft.svelte";

/** What of the page a key needs. */
interface App {
  keymap: AppContext["keymap"];
  almanacBeside: Pick<AppContext["almanacBeside"], "show">;
}

/** Where keys lead on the page. */
export interface ShortcutWays {
  toBoard(): void;
  /** To where real dice are told. */
  toDice(): void;
}

export function handleTableShortcut(event: KeyboardEvent, app: App, draft: TurnDraft, ways: ShortcutWays): void {
  const target = event.target as Element | null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target?.closest("input, textarea, select, dialog")) return;
  const command = app.keymap.commandOf(event.key);
  if (event.key === "Escape") {
    draft.cancel();
    if (draft.trading) draft.closeTrade();
  } else if (!command || !carryOut(command, app, draft, ways)) return;
  event.preventDefault();
}

/** The rule behind why the button with the focus cannot be pressed, or behind a refusal that is shown; null: none is. */
function ruleInSight(): string | null {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-rule]")];
  const own = document.activeElement?.closest("[data-tip]");
  const link =
    links.find((candidate) => own?.contains(candidate)) ?? links.find((candidate) => candidate.checkVisibility());
  return link ? link.pathname + link.search : null;
}

/** Do it, if it can be done now. */
function carryOut(command: KeyCommand, { almanacBeside }: App, draft: TurnDraft, ways: ShortcutWays): boolean {
  const { table } = draft;
  const act = (text: string | undefined): boolean => {
    if (!text || !table.can(text)) return false;
    void table.actIfReady(text);
    return true;
  };
  switch (command) {
    case "roll":
      if (!draft.tellsDice) return act(command);
      ways.toDice();
      return true;
    case "end":
      return act(command);
    case "card":
      return act("buy");
    case "accept":
    case "reject":
      return act(table.actionsOf(command)[0]?.text); // the first offer that can be answered so
    case "board":
      ways.toBoard();
      return true;
    case "rules":
      almanacBeside.show(ruleInSight() ?? almanacPath({ editionName: table.info?.edition ?? DEFAULT_EDITION }));
      return true;
    case "trade":
      if (!draft.trading && draft.refusalOf("offer")) return false;
      if (draft.trading) draft.closeTrade();
      else draft.openTrade();
      return true;
    default:
      if (!table.actionsOf(command).length) return false;
      draft.choose(command);
      return true;
  }
}
