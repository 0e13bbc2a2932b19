// What a table with a real board waits for, and who may tell it: dice at every seat and on the screen for all, a card on
// the screen of whoever drew or stole it and nowhere else. The host asks; this only says who of those it asks is here.

import type { ChanceQuestion, Color, Prompt } from "../generated/protocol";
import type { PromptOf } from "../game/live/events";
import type { Speech } from "../game/speech/speech.svelte";
import type { TableState } from "../game/live/tableState.svelte";
import { isPlayedWithRealDice } from "../net/received";

type Seen = Pick<TableState, "info" | "projection" | "ownColor" | "paused">;

function waitsForDice(prompt: Prompt): prompt is PromptOf<"dice" | "start_roll"> {
  return prompt.ask === "dice" || prompt.ask === "start_roll";
}

function waitsForCard(prompt: Prompt): prompt is PromptOf<"theft" | "draw"> {
  return prompt.ask === "theft" || prompt.ask === "draw";
}

/** What is asked of whoever looks at this page; null: nothing. Those who only watch are not asked. */
export function questionFor(table: Seen, creator: boolean): ChanceQuestion | null {
  if (table.paused || (table.ownColor === null && !creator)) return null;
  return table.projection?.chance ?? null;
}

/** What somebody has done and waits for what comes out; empty: nobody does. Rolls for the start nobody has asked for. */
export function begunText(
  { projection }: Pick<Seen, "projection">,
  { promptText }: Pick<Speech, "promptText">,
): string {
  const prompt = projection?.prompt;
  return prompt && (prompt.ask === "dice" || waitsForCard(prompt)) ? promptText(prompt) : "";
}

/** Who is about to roll is asked as ever, also what else may be done first; the others read who it is. */
function rollText(
  { promptText }: Pick<Speech, "promptText">,
  prompt: Prompt,
  player: Color,
  ownColor: Color | null,
): string {
  return promptText(waitsForDice(prompt) || player === ownColor ? prompt : { ask: "dice", player, to: ownColor });
}

/** The sentence while something is to be told, whoever tells it; empty: nothing is. */
export function awaitedText(
  table: Seen,
  creator: boolean,
  speech: Pick<Speech, "promptText" | "shortName" | "t">,
): string {
  const { promptText, shortName, t } = speech;
  const { projection, info } = table;
  if (!projection || !isPlayedWithRealDice(info)) return "";
  const { prompt, chance } = projection;
  const mine = questionFor(table, creator) !== null;
  if (chance?.kind === "dice") {
    const roller = chance.player;
    const seat = info?.seats.find((candidate) => candidate.color === roller);
    const bot = seat?.kind === "bot" || seat?.away;
    if (mine && bot) return t("chance.roll_for", { who: shortName(roller) });
    return `${rollText(speech, prompt, roller, table.ownColor)} ${t(mine ? "chance.which_dice" : "chance.wait_dice")}`;
  }
  if (waitsForDice(prompt)) return `${promptText(prompt)} ${t("chance.wait_dice")}`; // one who has resigned is not asked
  if (!waitsForCard(prompt)) return "";
  return `${promptText(prompt)} ${mine ? t("chance.which_card") : t("chance.wait_card", { who: shortName(prompt.player) })}`;
}
