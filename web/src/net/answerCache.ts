// Answers of the host that do not change: one that came once is not asked for again.

export class AnswerCache<T> {
  private readonly kept = new Map<string, Promise<T>>();

  /** What `get` brings, asked for once by its key; what did not come is asked for again. */
  once(key: string, get: () => Promise<T>): Promise<T> {
    const kept = this.kept.get(key);
    if (kept) return kept;
    const answer = get().catch((failure: unknown) => {
      this.kept.delete(key);
      throw failure;
    });
    this.kept.set(key, answer);
    return answer;
  }
}
