// What this browser remembers of a lesson: the hints that were read or skipped, and whether it was left. Of the latest
// table only; on another the lesson begins anew.

import { readStored, writeStored } from "./storage";

export interface LessonProgress {
  table: string;
  skipped: readonly string[];
  left: boolean;
}

const KEY = "hexholm.tutorial";

export class TutorialProgress {
  private latest = $state.raw<LessonProgress | null>(null);

  at(table: string): LessonProgress {
    const fresh: LessonProgress = { table, skipped: [], left: false };
    const found = this.latest ?? readStored(KEY, fresh);
    return found.table === table ? found : fresh;
  }

  save(now: LessonProgress): void {
    this.latest = now;
    writeStored(KEY, now);
  }
}
