// The log of a table: its lines, and what of the events of a game becomes one. Nothing is told twice.

import type { GameEvent, TableChange, TableLine } from "../generated/protocol";

export type LogLine =
  | { kind: "event"; number: number; time: number; event: GameEvent }
  /** `by` is empty, and `spectator` a name, where one who watches says it. */
  | { kind: "chat"; number: number; time: number; by: string; text: string; spectator?: string }
  | {
      kind: "change";
      number: number;
      time: number;
      what: TableChange;
      table: TableLine;
      before: TableLine | null;
      by?: string | null;
    };

/**
 * What an action led to, as it is told: a card that is bought is drawn at once, so whoever knows which hears of the draw
 * and all others of the purchase.
 */
export function withoutRepeats(events: readonly GameEvent[]): GameEvent[] {
  const known = events.find((one) => one.event === "drew" && one.card);
  const bought = events.some((one) => one.event === "bought"); // else it was said before: people drew the card
  return events.flatMap((one) =>
    one.event === "drew" ? (one.card && !bought ? [one] : []) : one.event === "bought" && known ? [known] : [one],
  );
}

/** The choices to discard among these that all know by now: the cards of everybody lie open, and are told of. */
export function supersededDiscards(events: readonly GameEvent[]): ReadonlySet<GameEvent> {
  const discards = events.flatMap((one, at) => (one.event === "discarded" ? [{ player: one.player, at }] : []));
  return new Set(
    events.filter(
      (one, at) => one.event === "chose_discard" && discards.some((open) => open.player === one.player && open.at > at),
    ),
  );
}

/** The log without the lines that a later one tells better. */
export function withoutSuperseded(lines: readonly LogLine[]): LogLine[] {
  const old = supersededDiscards(lines.flatMap((line) => (line.kind === "event" ? [line.event] : [])));
  return lines.filter((line) => line.kind !== "event" || !old.has(line.event));
}

/** The game itself says so, or the table as it stands. */
const SAID: ReadonlySet<TableChange> = new Set<TableChange>(["began", "over", "waited", "long_gone"]);

/** Whether a line belongs to the story of the game. */
export function isStory(line: LogLine): boolean {
  if (line.kind === "change") return line.table.status !== "open" && !SAID.has(line.what);
  return line.kind === "event";
}
