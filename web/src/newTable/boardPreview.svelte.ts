// The board that a new table will have: asked for anew when something changes that it depends on.

import { untrack } from "svelte";
import { getApp } from "../app/appContext";
import type { BoardAnswer, TableOptions } from "../generated/protocol";
import { ApiError, queryString } from "../net/request";
import { fetchDrawing } from "../net/rest/drawings";
import { fetchBoardPreview } from "../net/rest/boards";

/** The options that a board depends on. */
const BOARD_OPTIONS = ["edition", "players", "setup", "harbors", "numbers", "map"];

export interface WantedBoard {
  options: TableOptions;
  /** The fairest of many. */
  fair: boolean;
}

export class BoardPreview {
  board = $state.raw<BoardAnswer | null>(null);
  /** The board as the host draws it. */
  picture = $state("");
  /** Another board was wanted, and there is none. */
  onlyOne = $state(false);
  private rolls = $state(0);
  private shownRoll = 0;
  private shownFor = "";

  /** To be made with a component; `onerror` is told what went wrong, and null when nothing did. */
  constructor(wanted: () => WantedBoard | null, onerror: (failure: ApiError | null) => void) {
    const { appearance, i18n } = getApp();
    $effect(() => {
      const now = wanted();
      if (!now) return;
      const options = { ...now.options };
      const how = { theme: appearance.theme, language: i18n.language };
      const roll = this.rolls;
      // a board is kept when other things change; a fair one is fair for these options alone
      const key = JSON.stringify([now.fair, BOARD_OPTIONS.map((name) => options[name])]);
      let stale = false;
      void (async () => {
        try {
          const kept = untrack(() => (roll === this.shownRoll ? this.board : null));
          const board =
            kept && key === this.shownFor
              ? kept
              : await fetchBoardPreview({ ...options, ...(now.fair ? { fair: true } : { seed: kept?.seed }) });
          const text = await fetchDrawing(
            `/api/boards/preview.svg${queryString({ ...options, seed: board.seed, ...how })}`,
          );
          if (stale) return;
          this.onlyOne = roll !== this.shownRoll && text === this.picture;
          [this.board, this.picture, this.shownRoll, this.shownFor] = [board, text, roll, key];
          onerror(null);
        } catch (failure) {
          if (!stale && failure instanceof ApiError) onerror(failure);
        }
      })();
      return () => (stale = true);
    });
  }

  /** Another board. */
  roll(): void {
    this.rolls += 1;
  }
}
