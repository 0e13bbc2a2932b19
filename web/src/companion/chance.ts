// What a table with a real board waits for, and who may tell it: dice at every seat and on the screen for all, a card on
// the screen of whoever drew or stole it and nowhere else. The host asks; this only says who of those it asks is here.

import type { Projection, Question } from "../generated/protocol";
import { t } from "../words/i18n.svelte";
import { ask, called } from "../game/speech.svelte";
import type { TableState } from "../game/table.svelte";

const CARDS = new Set(["theft", "draw"]);
const START = "start_roll";
const DICE = new Set(["dice", START]);
type Seen = Pick<TableState, "table" | "projection" | "seat" | "paused">;

/** What is asked of whoever looks at this page; null: nothing. Those who only watch are not asked. */
export function asked(table: Seen, creator: boolean): Question | null {
  if (table.paused || (table.seat === null && !creator)) return null;
  return table.projection?.chance ?? null;
}

/** What somebody has done and waits for what comes out; empty: nobody does. Rolls for the start nobody has asked for. */
export function begun({ projection }: Pick<Seen, "projection">): string {
  const what = String(projection?.prompt.ask);
  return projection && what !== START && (DICE.has(what) || CARDS.has(what)) ? ask(projection.prompt) : "";
}

/** Who is about to roll is asked as ever, also what else may be done first; the others read who it is. */
function rolling(prompt: Projection["prompt"], player: string, seat: string | null): string {
  return ask(DICE.has(String(prompt.ask)) || player === seat ? prompt : { ask: "dice", player, to: seat });
}

/** The sentence while something is to be told, whoever tells it; empty: nothing is. */
export function awaited(table: Seen, creator: boolean): string {
  const { projection, table: line } = table;
  if (!projection || (line?.chance ?? "host") === "host") return "";
  const { ask: what, player } = projection.prompt as { ask: string; player?: string };
  const mine = asked(table, creator) !== null;
  if (projection.chance?.kind === "dice") {
    const roller = projection.chance.player;
    const seat = line?.seats.find((one) => one.color === roller);
    const bot = seat?.kind === "bot" || seat?.away;
    if (mine && bot) return t("chance.roll_for", { who: called(roller) });
    return `${rolling(projection.prompt, roller, table.seat)} ${t(mine ? "chance.which_dice" : "chance.wait_dice")}`;
  }
  if (DICE.has(what)) return `${ask(projection.prompt)} ${t("chance.wait_dice")}`; // one who has resigned is not asked
  if (!CARDS.has(what)) return "";
  return `${ask(projection.prompt)} ${mine ? t("chance.which_card") : t("chance.wait_card", { who: called(player ?? "") })}`;
}
