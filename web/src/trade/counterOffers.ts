// Which offer answers which, and who has made another offer instead: told by what happened in this turn, for everybody.

import type { LogLine } from "../game/table.svelte";

export interface Talk {
  /** The number of the offer that it answers. */
  answers: number | null;
  /** Who has said no to it with another offer. */
  counters: readonly string[];
}

const ENDS = new Set(["offer_closed", "offer_withdrawn", "traded"]);

/** The open offers by number; numbers are used again, but only when an offer has ended. */
export function talks(log: readonly LogLine[]): Map<number, Talk> {
  const begun = log.findLastIndex((line) => line.kind === "event" && line.event.event === "turn_began");
  const open = new Map<number, Talk>();
  for (const line of log.slice(begun + 1)) {
    if (line.kind !== "event") continue;
    const { event: what } = line.event;
    const [number, player] = [Number(line.event.number), String(line.event.player)];
    const others = (talk: Talk): string[] => talk.counters.filter((one) => one !== player);
    if (what === "offer_made") {
      const answers = typeof line.event.answers === "number" ? line.event.answers : null;
      open.set(number, { answers, counters: [] });
      const answered = answers === null ? undefined : open.get(answers);
      if (answers !== null && answered) open.set(answers, { ...answered, counters: [...others(answered), player] });
    } else if (what === "offer_answered") {
      const talk = open.get(number);
      if (talk) open.set(number, { ...talk, counters: others(talk) });
    } else if (ENDS.has(what)) {
      open.delete(number);
      for (const [one, talk] of open) if (talk.answers === number) open.set(one, { ...talk, answers: null });
    }
  }
  return open;
}
