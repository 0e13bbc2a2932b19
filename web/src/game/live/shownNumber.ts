// The number of the latest message that is in what the page shows, and who waits until a later one is.

/** Milliseconds after which nobody waits any more: the page may look as it did before. */
const LONGEST = 350;

export class ShownNumber {
  current = 0;
  private waiting: { number: number; go: () => void }[] = [];

  set(number: number): void {
    this.current = number;
    for (const { number: wanted, go } of this.waiting) if (wanted <= number) go();
    this.waiting = this.waiting.filter(({ number: wanted }) => wanted > number);
  }

  /** Until so many messages are shown, but not for long. */
  reach(number: number): Promise<void> {
    return new Promise((go) => {
      if (this.current >= number) {
        go();
        return;
      }
      this.waiting.push({ number, go });
      setTimeout(go, LONGEST);
    });
  }
}
