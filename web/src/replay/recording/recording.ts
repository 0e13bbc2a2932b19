// What a replay says of its steps: where one stops, whose turn it was, what stands out, what the address says.

import type { Color, GameEvent, ReplayAnswer, TurnLine } from "../../generated/protocol";
import { doerOf } from "../../game/live/events";
import type { LastRoll } from "../../game/live/lastRoll";
import { supersededDiscards } from "../../game/live/logLines";

export type Recording = Pick<ReplayAnswer, "steps" | "turns" | "events">;

export function eventsAt(recording: Recording, step: number): GameEvent[] {
  const events = recording.events[step] ?? [];
  const twice = supersededDiscards(events);
  return events.filter((event) => !twice.has(event));
}

/** Something happened there: a step that nobody sees (a pass, a die in the air) is not worth a stop. */
function stops(recording: Recording, step: number): boolean {
  return step <= 0 || step >= recording.steps || eventsAt(recording, step).length > 0;
}

/** The next step on at which something happened, or with -1 the one before. */
export function nextStop(recording: Recording, from: number, way: 1 | -1): number {
  let step = from + way;
  while (!stops(recording, step)) step += way;
  return Math.min(recording.steps, Math.max(0, step));
}

/** Which of the turns a step belongs to. */
export function turnAt(recording: Recording, step: number): number {
  return Math.max(
    0,
    recording.turns.findLastIndex((turn) => turn.step <= step),
  );
}

/** Where the next turn begins; with -1 where this one began, or the one before if it begins just here. */
export function nextTurn(recording: Recording, from: number, way: 1 | -1): number {
  const at = turnAt(recording, from);
  const begins = recording.turns[at]?.step ?? 0;
  if (way > 0) return recording.turns[at + 1]?.step ?? recording.steps;
  return from > begins ? begins : (recording.turns[at - 1]?.step ?? 0);
}

/** Something that stands out on the time line. */
export interface Highlight {
  step: number;
  kind: "seven" | "city" | "longest-road" | "largest-army";
  color: Color | null;
}

export function findHighlights(recording: Recording): Highlight[] {
  return recording.events.flatMap((_, step) =>
    eventsAt(recording, step).flatMap((event): Highlight[] => {
      const color = doerOf(event);
      if (event.event === "rolled" && event.total === 7) return [{ step, kind: "seven", color }];
      if (event.event === "built" && event.piece === "city") return [{ step, kind: "city", color }];
      if (event.event === "award_moved" && color) return [{ step, kind: event.award, color }];
      return [];
    }),
  );
}

/** The dice of the turn as far as they were rolled, and what everybody got. */
export function rollAt(recording: Recording, step: number): LastRoll {
  for (let at = step; at >= 0; at--) {
    const events = eventsAt(recording, at);
    const roll = events.find((event) => event.event === "rolled");
    if (roll) {
      const produced = events.find((event) => event.event === "produced");
      return { total: roll.total, gains: produced?.gains ?? {} };
    }
    if (events.some((event) => event.event === "turn_began")) break;
  }
  return { total: null, gains: {} };
}

/** A turn with what happened in it, for the log; how the one before it ended belongs to that. */
export interface TurnEvents extends TurnLine {
  lines: { step: number; event: GameEvent }[];
}

export function eventsByTurn(recording: Recording): TurnEvents[] {
  return recording.turns.map((begun, i) => {
    const end = recording.turns[i + 1]?.step ?? recording.steps + 1;
    const lines: TurnEvents["lines"] = [];
    for (let step = begun.step; step <= Math.min(end, recording.steps); step++) {
      const events = eventsAt(recording, step);
      const began = events.findIndex((event) => event.event === "turn_began");
      const own =
        step === end ? events.slice(0, Math.max(0, began)) : events.slice(step === begun.step ? began + 1 : 0);
      lines.push(...own.map((event) => ({ step, event })));
    }
    return { ...begun, lines };
  });
}

/** What the address asks for: "?step=120&eyes=red". */
export function readMoment(search: string): { step: number; eyes: string | null } {
  const query = new URLSearchParams(search);
  const step = Number(query.get("step") ?? 0);
  return { step: Number.isInteger(step) && step > 0 ? step : 0, eyes: query.get("eyes") };
}
