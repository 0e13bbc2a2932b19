// REST for games that are over: replay, summary, record, dice, who may see them, and the table that follows.

import type {
  DiceAnswer,
  RematchAnswer,
  ReplayAnswer,
  ReplayViews,
  ShareAnswer,
  Summary,
} from "../../generated/protocol";
import { fetchJson, fetchText, queryString } from "../request";
import { tablePath } from "./tables";

export const fetchReplay = (tableId: string, eyes: string): Promise<ReplayAnswer> =>
  fetchJson(`${tablePath(tableId)}/replay${queryString({ eyes })}`);
export const fetchReplayViews = (tableId: string, eyes: string, from: number, to: number): Promise<ReplayViews> =>
  fetchJson(`${tablePath(tableId)}/replay/views${queryString({ eyes, from, to })}`);
export const fetchSummary = (tableId: string): Promise<Summary> => fetchJson(`${tablePath(tableId)}/summary`);

/** The record of a game, as text. */
export const fetchRecord = (tableId: string): Promise<string> => fetchText(`${tablePath(tableId)}/record?form=text`);

export const fetchDice = (tableId: string): Promise<DiceAnswer> => fetchJson(`${tablePath(tableId)}/dice`);
/** Whether one shows a finished game to others, and how to show it or take it back. */
export const fetchShare = (tableId: string): Promise<ShareAnswer> => fetchJson(`${tablePath(tableId)}/share`);
export const createShare = (tableId: string): Promise<ShareAnswer> => fetchJson(`${tablePath(tableId)}/share`, {});
export const deleteShare = (tableId: string): Promise<ShareAnswer> =>
  fetchJson(`${tablePath(tableId)}/share`, undefined, "DELETE");
export const createRematch = (tableId: string): Promise<RematchAnswer> =>
  fetchJson(`${tablePath(tableId)}/rematch`, {});
