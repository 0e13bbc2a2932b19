// A double press must not lose a turn.

/** So long after others have played nothing is sent, and after an own action no end of the turn. */
const GUARD = 350;

export class PressGuard {
  private askedAt = -GUARD;
  private changedAt = -GUARD;

  /** Something else is asked now; `byOthers`: what others have done has led to it. */
  change(byOthers: boolean): void {
    this.changedAt = performance.now();
    if (byOthers) this.askedAt = this.changedAt;
  }

  /** Whether a press means what it says. Where Roll stood, End turn stands a moment later. */
  allows(action: string): boolean {
    const now = performance.now();
    return now - this.askedAt >= GUARD && (action !== "end" || now - this.changedAt >= GUARD);
  }
}
