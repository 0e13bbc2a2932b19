// What this browser remembers of a lesson: the hints that were read or skipped, and whether it was left. Of the latest
// table only; on another the lesson begins anew.

import { readStored, writeStored } from "./storage";

export interface LessonProgress {
  tableId: string;
  skipped: readonly string[];
  left: boolean;
}

/** What is kept of a lesson; null: nothing. */
function readProgress(): LessonProgress | null {
  const { table: tableId, skipped, left } = readStored("tutorial");
  if (typeof tableId !== "string" || !Array.isArray(skipped)) return null;
  return { tableId, skipped: skipped.filter((step) => typeof step === "string"), left: left === true };
}

export class TutorialProgress {
  private latest = $state.raw<LessonProgress | null>(null);

  at(tableId: string): LessonProgress {
    const fresh: LessonProgress = { tableId, skipped: [], left: false };
    const progress = this.latest ?? readProgress();
    return progress?.tableId === tableId ? progress : fresh;
  }

  save(now: LessonProgress): void {
    this.latest = now;
    const { tableId: table, skipped, left } = now;
    writeStored("tutorial", { table, skipped, left });
  }
}
