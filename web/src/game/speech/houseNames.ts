// What tables and the players of the house are called.

import type { BotLine } from "../../generated/protocol";
import type { TableInfo } from "../../net/received";
import { capitalize } from "../../words/catalogue";
import type { Speech } from "./speech.svelte";

type Words = Pick<Speech, "findText" | "t">;

/** What a table is called: a lesson by what it is, all others as somebody called them; empty: it has no name. */
export function tableTitle(info: Pick<TableInfo, "title" | "lesson">, { t }: Pick<Speech, "t">): string {
  return info.lesson ? t("tutorial.title") : info.title;
}

/** A player of the house by its name; one we have no text for is called by its name alone. */
export function botName(name: string, { findText, t }: Words): string {
  return findText(`bots.${name}`) ?? t("bots.any", { name: capitalize(name) });
}

/** What a player of the house is, in a line: in our words where we have some, else in those of the host. */
export function botDescription(bot: BotLine, { findText }: Pick<Speech, "findText">): string {
  return findText(`bots.${bot.name}_line`) ?? bot.line ?? "";
}
