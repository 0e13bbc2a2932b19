// The views of a game, fetched in blocks: what is looked at first, then what lies beside it, then the rest.

const BLOCK_SIZE = 100;

/** Fetch the views of some steps in a row, both ends included. */
export type LoadViews<V> = (from: number, to: number) => Promise<readonly V[]>;

/** How a game looked after each step, from 0 to `last`; `onload` is told of every block that came. */
export class ViewBlocks<V> {
  private readonly blocks = new Map<number, readonly V[]>();
  private readonly coming = new Map<number, Promise<void>>();

  constructor(
    readonly last: number,
    private readonly load: LoadViews<V>,
    private readonly onload: () => void = () => undefined,
    private readonly size = BLOCK_SIZE,
  ) {}

  /** The view after so many steps, if it is here. */
  at(step: number): V | null {
    return this.blocks.get(this.block(step))?.[step % this.size] ?? null;
  }

  /** Fetch the block of a step, once; a block that could not be had may be asked for again. */
  fetch(step: number): Promise<void> {
    const block = this.block(step);
    if (this.blocks.has(block)) return Promise.resolve();
    const begun = this.coming.get(block);
    if (begun) return begun;
    const from = block * this.size;
    const coming = this.load(from, Math.min(from + this.size - 1, this.last))
      .then((views) => {
        this.blocks.set(block, views);
        this.onload();
      })
      .finally(() => this.coming.delete(block));
    this.coming.set(block, coming);
    return coming;
  }

  /** The step to fetch next, nearest to where one looks, what comes before what was; null: all is here. */
  missing(step: number): number | null {
    const here = this.block(step);
    const blocks = Array.from({ length: this.block(this.last) + 1 }, (_, i) => i);
    const distance = (block: number): number => Math.abs(block - here) + (block < here ? 0.5 : 0);
    const next = blocks
      .filter((block) => !this.blocks.has(block))
      .reduce<number | null>((best, block) => (best === null || distance(block) < distance(best) ? block : best), null);
    return next === null ? null : next * this.size;
  }

  private block(step: number): number {
    return Math.floor(step / this.size);
  }
}
