// What this browser remembers of a lesson: the hints that were read or skipped, and whether it was left. Of the latest
// table only; on another the lesson begins anew.

import { readStored, writeStored } from "./storage";

export interface LessonProgress {
  table: string;
  skipped: readonly string[];
  left: boolean;
}

/** What is kept of a lesson; null: nothing. */
function readProgress(): LessonProgress | null {
  const { table, skipped, left } = readStored("tutorial");
  if (typeof table !== "string" || !Array.isArray(skipped)) return null;
  return { table, skipped: skipped.filter((step) => typeof step === "string"), left: left === true };
}

export class TutorialProgress {
  private latest = $state.raw<LessonProgress | null>(null);

  at(table: string): LessonProgress {
    const fresh: LessonProgress = { table, skipped: [], left: false };
    const progress = this.latest ?? readProgress();
    return progress?.table === table ? progress : fresh;
  }

  save(now: LessonProgress): void {
    this.latest = now;
    writeStored("tutorial", now);
  }
}
