// What a replay says of its steps: where one stops, whose turn it was, what stands out, what the address says.

import type { ReplayAnswer, TurnLine } from "../generated/protocol";
import type { Cards } from "../game/play/action";
import type { GameEvent } from "../game/table.svelte";
import { overtaken } from "../game/log";

export type Story = Pick<ReplayAnswer, "steps" | "turns" | "events">;

export function eventsAt(story: Story, step: number): GameEvent[] {
  const events = (story.events[step] ?? []) as unknown as GameEvent[];
  const twice = overtaken(events);
  return events.filter((one) => !twice.has(one));
}

/** Something happened there: a step that nobody sees (a pass, a die in the air) is not worth a stop. */
function stops(story: Story, step: number): boolean {
  return step <= 0 || step >= story.steps || eventsAt(story, step).length > 0;
}

/** The next step on at which something happened, or with -1 the one before. */
export function stop(story: Story, from: number, way: 1 | -1): number {
  let step = from + way;
  while (!stops(story, step)) step += way;
  return Math.min(story.steps, Math.max(0, step));
}

/** Which of the turns a step belongs to. */
export function turnAt(story: Story, step: number): number {
  return Math.max(0, story.turns.findLastIndex((turn) => turn.step <= step));
}

/** Where the next turn begins; with -1 where this one began, or the one before if it begins just here. */
export function turn(story: Story, from: number, way: 1 | -1): number {
  const at = turnAt(story, from);
  const begins = story.turns[at]?.step ?? 0;
  if (way > 0) return story.turns[at + 1]?.step ?? story.steps;
  return from > begins ? begins : (story.turns[at - 1]?.step ?? 0);
}

/** Something that stands out on the time line. */
export interface Highlight {
  step: number;
  kind: "seven" | "city" | "longest-road" | "largest-army";
  color: string | null;
}

export function highlights(story: Story): Highlight[] {
  return story.events.flatMap((_, step) =>
    eventsAt(story, step).flatMap((event): Highlight[] => {
      const color = typeof event.player === "string" ? event.player : null;
      if (event.event === "rolled" && event.total === 7) return [{ step, kind: "seven", color }];
      if (event.event === "built" && event.piece === "city") return [{ step, kind: "city", color }];
      if (event.event === "award_moved" && color) return [{ step, kind: event.award as Highlight["kind"], color }];
      return [];
    }),
  );
}

/** The dice of the turn as far as they were rolled, and what everybody got. */
export function lastRoll(story: Story, step: number): { rolled: number | null; gains: Record<string, Cards> } {
  for (let at = step; at >= 0; at--) {
    const events = eventsAt(story, at);
    const roll = events.find((event) => event.event === "rolled");
    if (roll) {
      const produced = events.find((event) => event.event === "produced");
      return { rolled: Number(roll.total), gains: (produced?.gains ?? {}) as Record<string, Cards> };
    }
    if (events.some((event) => event.event === "turn_began")) break;
  }
  return { rolled: null, gains: {} };
}

/** A turn with what happened in it, for the log; how the one before it ended belongs to that. */
export interface Chapter extends TurnLine {
  lines: { step: number; event: GameEvent }[];
}

export function chapters(story: Story): Chapter[] {
  return story.turns.map((begun, i) => {
    const end = story.turns[i + 1]?.step ?? story.steps + 1;
    const lines: Chapter["lines"] = [];
    for (let step = begun.step; step <= Math.min(end, story.steps); step++) {
      const events = eventsAt(story, step);
      const began = events.findIndex((event) => event.event === "turn_began");
      const own = step === end ? events.slice(0, Math.max(0, began)) : events.slice(step === begun.step ? began + 1 : 0);
      lines.push(...own.map((event) => ({ step, event })));
    }
    return { ...begun, lines };
  });
}

/** What the address asks for: "?step=120&eyes=red". */
export function asked(search: string): { step: number; eyes: string | null } {
  const said = new URLSearchParams(search);
  const step = Number(said.get("step") ?? 0);
  return { step: Number.isInteger(step) && step > 0 ? step : 0, eyes: said.get("eyes") };
}
