// What the page says of the game: in the language that is spoken, in the edition's words, to whoever sits here.

import type { BotLine, Problem, Refused, SeatLine, TableLine } from "../generated/protocol";
import type { Cards, Resource } from "./play/action";
import { i18n, t } from "../words/i18n.svelte";
import { namesAt, ownName } from "./playerNames";
import type { GameEvent, LogLine } from "./table.svelte";
import { capital, type Values, type Why } from "../words/catalogue";

let reader = $state<string | null>(null);
let seats = $state.raw<readonly SeatLine[]>([]);
const names = $derived(
  namesAt(seats, ["you", ...seats.map(({ color }) => color)].map(word), (name, color) =>
    t("players.named", { name, color: word(color) }),
  ),
);

export const speech = {
  /** The colour of the one who reads, who is called "you"; null: nobody in particular. */
  get to(): string | null {
    return reader;
  },
  set to(color: string | null) {
    reader = color;
  },
  /** Who sits at the table that is spoken of: people are called by their names, bots by their colours. */
  get seats(): readonly SeatLine[] {
    return seats;
  },
  set seats(all: readonly SeatLine[]) {
    seats = all;
  },
};

export function say(event: GameEvent): string {
  return i18n.words.say(event, i18n.edition, reader, names);
}

export function ask(prompt: Values): string {
  return i18n.words.ask(prompt, i18n.edition, names);
}

/** Something that is not possible, as the host says it. */
interface No {
  message?: string | undefined;
  rule?: string | null | undefined;
  why?: string | undefined;
  values?: Values | undefined;
}

/** The rules that refusals stand on, by the words they were said with: whoever shows the words can lead there. */
const rules: Partial<Record<string, string>> = {};

export function ruleOf(words: string): string | null {
  return rules[words] ?? null;
}

/** Why something is not possible, as a sentence. */
export function reason(why: No): string {
  const said: Why = { message: why.message ?? "", values: why.values ?? {} };
  const words = i18n.words.refuse(why.why ? { ...said, why: why.why } : said, i18n.edition, reader, names);
  if (why.rule) rules[words] = why.rule;
  return words;
}

export function refusal(refused: Refused): string {
  return reason(refused);
}

/** A problem over REST; "lost": nobody answered. What fails without a name was not the host's own answer. */
export function problem(found: Problem): string {
  if (found.code === "lost") return t("common.unreachable");
  return found.code === "failed" && !found.why ? t("common.failed") : reason(found);
}

export function resource(kind: Resource): string {
  return i18n.words.term(kind, i18n.edition);
}

/** What the edition calls a thing: "stock", "longest-road", "year-of-plenty". */
export function term(name: string): string {
  return i18n.words.term(name.replaceAll("-", "_"), i18n.edition);
}

export function cards(bag: Cards): string {
  return i18n.words.value(bag, i18n.edition);
}

/** A colour, or "you", as it stands within a sentence. */
function word(color: string): string {
  return i18n.words.value(color, i18n.edition);
}

export function colorName(color: string): string {
  return capital(word(color));
}

/** What a table is called: a lesson by what it is, all others as somebody called them; empty: it has no name. */
export function titleOf(table: Pick<TableLine, "title" | "lesson">): string {
  return table.lesson ? t("tutorial.title") : table.title;
}

/** Whoever sits there, where their mark is beside it: a person by name, else the colour. */
export function called(color: string): string {
  return names[color] ?? colorName(color);
}

/** Whoever sits there: a person by name and colour, else the colour alone. */
export function who(color: string): string {
  const name = ownName(seats.find((one) => one.color === color));
  return name ? t("players.named", { name, color: colorName(color) }) : colorName(color);
}

/** A player of the house by its name; one we have no text for is called by its name alone. */
export function botName(name: string): string {
  const key = `bots.${name}`;
  const said = t(key);
  return said === key ? t("bots.any", { name: capital(name) }) : said;
}

/** What a player of the house is, in a line: in our words where we have some, else in those of the host. */
export function botLine(bot: BotLine): string {
  const key = `bots.${bot.name}_line`;
  const said = t(key);
  return said === key ? (bot.line ?? "") : said;
}

/** The game itself says so. */
const SAID = new Set(["began", "over"]);

/** Whether a line belongs to the story of the game. */
export function told(line: LogLine): boolean {
  if (line.kind === "change") return line.table.status !== "open" && !SAID.has(line.what);
  return line.kind === "event";
}

/** A line of the log in words. */
export function lineText(line: LogLine): string {
  if (line.kind === "event") return say(line.event);
  return line.kind === "change" ? changeText(line) : line.text;
}

type Change = Extract<LogLine, { kind: "change" }>;

/** A change of the table itself, as a line of the log. */
export function changeText(line: Change): string {
  const told = changes(line);
  if (told.length) return told.join(" ");
  const key = `log.changed_${line.what}`;
  const said = t(key);
  return said === key ? t("log.changed") : said;
}

/** What differs from the table before, where that says more than what kind of change it was. */
function changes({ what, table, before, by }: Change): string[] {
  if (what === "took_back") return by ? [by === reader ? t("log.you_took_back") : t("log.took_back", { who: called(by) })] : [];
  if (what === "mistold") return by ? [by === reader ? t("log.you_mistold") : t("log.mistold", { who: called(by) })] : [];
  if (what === "paused") return [t(table.paused ? "table.paused" : "log.goes_on")];
  if (what === "paced") return [t(`log.paced_${table.pace ?? "normal"}`)];
  if (!before) return [];
  if (what === "wished") {
    return Object.entries(table.wishes ?? {}).flatMap(([wish, who]) =>
      who.filter((one) => !before.wishes?.[wish]?.includes(one)).map((one) => t(`table.wish_${wish}`, { who: called(one) })),
    );
  }
  return table.seats.flatMap((seat, i) => {
    const was = before.seats[i];
    const who = called(seat.color);
    if (!was) return [];
    if (seat.name !== was.name && what === "renamed") return [t("log.renamed", { was: was.name ?? "", name: seat.name ?? "" })];
    if (seat.silenced !== was.silenced) return [t(seat.silenced ? "log.silenced" : "log.speaks", { who })];
    if (what !== "left") return [];
    if (seat.resigned !== was.resigned) return [t("log.resigned", { who })];
    return seat.away === was.away ? [] : [t(seat.away ? "log.away" : "log.back", { who })];
  });
}
