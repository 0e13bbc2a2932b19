// The tables of the house that somebody may want to go to: open and played by others, one's own, and those of the past.

import { untrack } from "svelte";
import type { EditionsInfo, MyTableInfo, TableInfo } from "../net/received";
import { apiErrorOrThrow } from "../net/request";
import { fetchEditions } from "../net/rest/server";
import { fetchMe } from "../net/rest/me";
import { ownTables, type GoingAndPast } from "../tableList/ownTables";
import { fetchTables } from "../net/rest/tables";
import type { Speech } from "../game/speech/speech.svelte";

const EVERY = 5000;

export class TableLists {
  /** What the house has; null: that is not known yet. */
  editionList = $state.raw<EditionsInfo | null>(null);
  /** Why nothing new is heard of the house; empty: it is. */
  error = $state("");
  private lobby = $state.raw<TableInfo[]>([]);
  private own = $state.raw<MyTableInfo[]>([]);

  /** The lists have come. */
  known = $state(false);

  readonly mine: GoingAndPast = $derived(ownTables(this.own));
  /** How many games wait for this person. */
  readonly turns = $derived(this.mine.going.filter((mine) => mine.asked_since).length);
  /** Where one has no seat. */
  readonly others = $derived(
    this.lobby
      .filter((info) => info.status === "open" || info.watchable) // else there is nothing to do for others
      .filter((info) => !this.own.some((mine) => mine.table.id === info.id))
      .map((info) => ({ table: info })),
  );

  /** To be made with a component: while it is there and somebody sees it, the lists are kept up to date. */
  constructor(private readonly speech: Pick<Speech, "refusalText">) {
    $effect(() => {
      untrack(() => void this.poll());
      const timer = setInterval(() => document.visibilityState === "visible" && void this.poll(), EVERY);
      return () => clearInterval(timer);
    });
  }

  readonly poll = async (): Promise<void> => {
    try {
      this.editionList ??= await fetchEditions();
      const [open, playing, me] = await Promise.all([fetchTables("open", 20), fetchTables("playing", 20), fetchMe()]);
      this.lobby = [...open, ...playing];
      this.own = me.tables;
      this.known = true;
      this.error = "";
    } catch (failure) {
      this.error = this.speech.refusalText(apiErrorOrThrow(failure).refusal);
    }
  };
}
