// The log of a table in words.

import { WISHES } from "../../generated/names";
import type { LogLine } from "../live/logLines";
import type { Speech } from "./speech.svelte";

type Change = Extract<LogLine, { kind: "change" }>;

/** A line of the log in words. */
export function lineText(line: LogLine, speech: Speech): string {
  if (line.kind === "event") return speech.say(line.event);
  return line.kind === "change" ? changeText(line, speech) : line.text;
}

/** Who says something: a player, or one who watches. */
export function speakerName(line: Extract<LogLine, { kind: "chat" }>, { shortName, t }: Speech): string {
  return line.by ? shortName(line.by) : t("chat.spectator", { who: line.spectator || "?" });
}

/** A change of the table itself, as a line of the log. */
function changeText(line: Change, speech: Speech): string {
  const { t } = speech;
  const told = changes(line, speech);
  if (told.length) return told.join(" ");
  const { what } = line;
  // what is read in the table itself, or stands there
  if (what === "paused" || what === "paced" || what === "over" || what === "renamed") return t("log.changed");
  // what is no line of the story, which begins with the game
  if (what === "promised" || what === "words_asked" || what === "word_opened") return t("log.changed");
  if (what === "waited" || what === "long_gone") return t("log.changed");
  return t(what === "kick_wished" ? "log.changed_wished" : `log.changed_${what}`);
}

/** What differs from the table before, where that says more than what kind of change it was. */
function changes({ what, info, before, by }: Change, { shortName, reader, t }: Speech): string[] {
  if (what === "took_back")
    return by ? [by === reader ? t("log.you_took_back") : t("log.took_back", { who: shortName(by) })] : [];
  if (what === "mistold")
    return by ? [by === reader ? t("log.you_mistold") : t("log.mistold", { who: shortName(by) })] : [];
  if (what === "paused") return [t(info.paused ? "table.paused" : "log.goes_on")];
  if (what === "paced") return [t(`log.paced_${info.pace}`)];
  if (!before) return [];
  if (what === "wished") {
    return WISHES.flatMap((wish) =>
      (info.wishes[wish] ?? [])
        .filter((color) => !before.wishes[wish]?.includes(color))
        .map((color) => t(`table.wish_${wish}`, { who: shortName(color) })),
    );
  }
  return info.seats.flatMap((seat, i) => {
    const was = before.seats[i];
    const who = shortName(seat.color);
    if (!was) return [];
    if (what === "kick_wished")
      return seat.kick_wishes
        .filter((color) => !was.kick_wishes.includes(color))
        .map((color) => t("table.wish_kick", { who: shortName(color), whom: who }));
    if (seat.name && was.name && seat.name !== was.name && what === "renamed")
      return [t("log.renamed", { was: was.name, name: seat.name })];
    if (seat.silenced !== was.silenced) return [t(seat.silenced ? "log.silenced" : "log.speaks", { who })];
    if (what !== "left") return [];
    if (seat.resigned !== was.resigned) return [t("log.resigned", { who })];
    if (seat.away === was.away && seat.player === was.player) return [];
    return [t(seat.away ? (seat.player ? "log.away" : "log.gone") : "log.back", { who })];
  });
}
