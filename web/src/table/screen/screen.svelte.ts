// What the page of a table shows beside what the host has said: what is open, what is pointed at, what is asked.

import type Board from "../../board/Board.svelte";
import type { Target } from "../../game/actions/target";
import { Companion } from "../../companion/companion.svelte";
import { getApp } from "../../app/appContext";
import { getSpeech } from "../../game/speech/speech.svelte";
import type { TableState } from "../../game/live/tableState.svelte";
import type { EditionLine } from "../../generated/protocol";
import { isNaming, TurnDraft } from "../../game/play/turnDraft.svelte";
import { findLastRoll } from "../../game/live/lastRoll";

/** What opens over the table: in a narrow window most of it. */
export type Sheet = "build" | "cards" | "log" | "chat" | "menu";

/** What the page gives: each is read only where it is needed, since a new table means a new game to play. */
interface Given {
  readonly table: TableState;
  readonly edition: EditionLine;
  readonly creator: boolean;
}

/** To be made with a component. */
export class TableScreen {
  sheet = $state<Sheet | null>(null);
  /** The component that draws the board. */
  drawnBoard = $state.raw<Board>();
  /** What is asked once more, below a board that is too small for it. */
  pendingTarget = $state.raw<Target | null>(null);
  /** A place that a line of the log speaks of. */
  highlightedPlace = $state<string | null>(null);
  rolling = $state(false);
  private readonly wide = getApp().media.wide;

  constructor(private readonly given: Given) {}

  get table(): TableState {
    return this.given.table;
  }

  get edition(): EditionLine {
    return this.given.edition;
  }

  /** Whoever looks has set up the table. */
  get creator(): boolean {
    return this.given.creator;
  }

  readonly draft = $derived.by(() => new TurnDraft(this.table));
  readonly companion = new Companion(
    () => this.table,
    () => this.creator,
    getSpeech(),
  );
  readonly view = $derived.by(() => this.table.view);
  /** The game has not begun. */
  readonly inLobby = $derived.by(() => this.table.info?.status === "open");
  readonly over = $derived.by(() => this.table.info?.status === "over");
  readonly roll = $derived.by(() => findLastRoll(this.table.log, this.view));
  /** A card that is played asks for resources, beside the board. */
  readonly picking = $derived.by(() => this.wide.current && isNaming(this.draft.mode));
  /** What is told here now: not while a card is being played, which may be done before the roll. */
  readonly question = $derived.by(() => (this.draft.mode === null ? this.companion.question : null));
  /** The button that takes back what was entered, where there is one. */
  readonly takeBack = $derived.by(() => {
    const { module, realDice } = this.companion;
    const may = this.table.ownColor || this.creator;
    return module && realDice && this.table.info?.status === "playing" && may ? module.TakeBackButton : null;
  });
}
