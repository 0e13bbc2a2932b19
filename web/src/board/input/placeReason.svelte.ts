// Why nothing can be done at a place: asked of the host a moment after somebody stays there.

/** Milliseconds to come from a place to the words beside it. */
const LINGER = 400;

export class PlaceReason {
  place = $state<string | null>(null);
  /** Empty until the answer is there. */
  text = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: (place: string) => Promise<string | null>) {}

  explain(place: string, after: number): void {
    if (this.place === place) return this.text ? this.stay() : undefined;
    this.hush();
    this.place = place;
    this.timer = setTimeout(() => void this.answer(place), after);
  }

  private async answer(place: string): Promise<void> {
    const text = await this.ask(place);
    if (this.place === place) this.text = text ?? "";
  }

  /** Hush unless the pointer comes to the words. */
  fade(): void {
    if (!this.text) return this.hush();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hush(), LINGER);
  }

  stay(): void {
    clearTimeout(this.timer);
  }

  hush(): void {
    clearTimeout(this.timer);
    this.place = null;
    this.text = "";
  }
}
