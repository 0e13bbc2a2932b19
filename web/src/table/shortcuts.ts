// Single keys for those who know them; they can be switched off, and never act while somebody writes.

import type { Piece, Play } from "./play.svelte";

const PIECES: Record<string, Piece> = { "1": "road", "2": "settlement", "3": "city" };

/** What answers the first offer that can be answered so. */
function answer(play: Play, key: "y" | "n"): string {
  return play.table.of(key === "y" ? "accept" : "reject")[0]?.text ?? "";
}

export function shortcut(event: KeyboardEvent, play: Play): void {
  const target = event.target as Element | null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target?.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  const table = play.table;
  const piece = PIECES[key];
  if (key === "escape") {
    play.cancel();
    if (play.trading) play.closeTrade();
  } else if (key === "r" && table.can("roll")) void table.act("roll");
  else if (key === "e" && table.can("end")) void table.act("end");
  else if ((key === "y" || key === "n") && answer(play, key)) void table.act(answer(play, key));
  else if (key === "b") play.onboard();
  else if (key === "4" && table.can("buy")) void table.act("buy");
  else if (key === "t" && play.trading) play.closeTrade();
  else if (key === "t" && !play.reason("offer")) play.openTrade();
  else if (piece && table.of(piece).length) play.choose(piece);
  else return;
  event.preventDefault();
}
