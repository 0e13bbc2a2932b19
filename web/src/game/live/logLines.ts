// The log of a table: its lines, and what of the events of a game becomes one. Nothing is told twice.

import type { Color, GameEvent, Speaker, TableChange } from "../../generated/protocol";
import type { Received, TableInfo } from "../../net/received";

export type LogLine =
  | { kind: "event"; number: number; time: number; event: GameEvent }
  /** `by` is empty, and `spectator` a name, where one who watches says it. */
  | { kind: "chat"; number: number; time: number; by: Speaker; text: string; spectator?: string }
  | {
      kind: "change";
      number: number;
      time: number;
      what: TableChange;
      info: TableInfo;
      before: TableInfo | null;
      by?: Color | null;
    };

/** What a message adds to the log; `before`: the table as the last change left it. */
export function logLines(message: Received, before: TableInfo | null): LogLine[] {
  if (message.type === "told") {
    const { number, time, events } = message;
    return withoutRepeats(events).map((event) => ({ kind: "event", number, time, event }));
  }
  if (message.type === "chatted") {
    const { number, time, by, text, spectator } = message;
    return text ? [{ kind: "chat", number, time, by, text, ...(spectator && { spectator }) }] : []; // else it was removed
  }
  if (message.type === "changed") {
    const { number, time, what, table: info, by } = message;
    return [{ kind: "change", number, time, what, info, before, by }];
  }
  return []; // answers, and what says how the table stands
}

/**
 * What an action led to, as it is told: a card that is bought is drawn at once, so whoever knows which hears of the draw
 * and all others of the purchase.
 */
export function withoutRepeats(events: readonly GameEvent[]): GameEvent[] {
  const known = events.find((event) => event.event === "drew" && event.card);
  const bought = events.some((event) => event.event === "bought"); // else it was said before: people drew the card
  return events.flatMap((event) =>
    event.event === "drew"
      ? event.card && !bought
        ? [event]
        : []
      : event.event === "bought" && known
        ? [known]
        : [event],
  );
}

/** The choices to discard among these that all know by now: the cards of everybody lie open, and are told of. */
export function supersededDiscards(events: readonly GameEvent[]): ReadonlySet<GameEvent> {
  const discards = events.flatMap((event, at) => (event.event === "discarded" ? [{ player: event.player, at }] : []));
  return new Set(
    events.filter(
      (event, at) =>
        event.event === "chose_discard" && discards.some((open) => open.player === event.player && open.at > at),
    ),
  );
}

/** The log without the lines that a later one tells better. */
export function withoutSuperseded(lines: readonly LogLine[]): LogLine[] {
  const old = supersededDiscards(lines.flatMap((line) => (line.kind === "event" ? [line.event] : [])));
  return lines.filter((line) => line.kind !== "event" || !old.has(line.event));
}

/** The game itself says so, or the table as it stands. */
const TOLD_ELSEWHERE: ReadonlySet<TableChange> = new Set<TableChange>(["began", "over", "waited", "long_gone"]);

/** Whether a line belongs to the story of the game. */
export function isStory(line: LogLine): boolean {
  if (line.kind === "change") return line.info.status !== "open" && !TOLD_ELSEWHERE.has(line.what);
  return line.kind === "event";
}
