// Why something cannot be played: asked of the host for what is not in its list of what is legal, and asked again
// whenever the table has changed.

import type { WhyAnswer } from "../../generated/protocol";
import type { Speech } from "../speech/speech.svelte";
import type { TableState } from "../live/tableState.svelte";

type Asked = Pick<TableState, "projection" | "can" | "askWhy">;

export class ActionReasons {
  private answers = $state.raw<Record<string, WhyAnswer>>({});

  /** To be made with a component; `wanted` are the actions to ask for. */
  constructor(
    private readonly speech: Speech,
    private readonly table: () => Asked,
    wanted: () => readonly string[],
  ) {
    $effect(() => {
      void table().projection;
      let stale = false;
      for (const text of wanted()) {
        if (table().can(text)) continue;
        void table()
          .askWhy(text)
          .then((answer) => {
            if (!stale && answer) this.answers = { ...this.answers, [text]: answer };
          });
      }
      return () => (stale = true);
    });
  }

  /** Why an action cannot be played; null: it can, or that is not known yet. */
  reasonOf(text: string): string | null {
    const answer = this.table().can(text) ? undefined : this.answers[text];
    return answer && !answer.legal ? this.speech.refusalText(answer) : null;
  }
}
