// A table whose players have a real board before them: what it asks of whoever looks at it, and the parts that ask.

import { untrack } from "svelte";
import type { ChanceQuestion } from "../generated/protocol";
import type { TableState } from "../game/live/tableState.svelte";
import type { Speech } from "../game/speech/speech.svelte";
import { isPlayedWithRealDice } from "../net/received";

export class Companion {
  /** What asks; null until it has come, if it is needed at all. */
  module = $state.raw<typeof import("./companionModule") | null>(null);
  /** It did not come. */
  missing = $state(false);
  /** People roll, and perhaps draw. */
  readonly realDice: boolean = $derived.by(() => isPlayedWithRealDice(this.table().info));
  readonly question: ChanceQuestion | null = $derived.by(() =>
    this.realDice && this.module ? this.module.questionFor(this.table(), this.creator()) : null,
  );
  /** The sentence while something is to be told; empty: nothing is. */
  readonly awaited: string = $derived.by(() =>
    this.realDice && this.module ? this.module.awaitedText(this.table(), this.creator(), this.speech) : "",
  );

  /** To be made where effects can be: in a component. */
  constructor(
    private readonly table: () => TableState,
    private readonly creator: () => boolean,
    private readonly speech: Speech,
  ) {
    $effect(() => {
      void this.table().connectionState; // what did not come while the line was lost is asked for again
      if (!this.realDice || untrack(() => this.module)) return;
      import("./companionModule").then(
        (found) => (this.module = found),
        () => (this.missing = true),
      );
    });
  }
}
