// REST for games that are over: replay, summary, record, dice, who may see them, and the table that follows.

import type {
  DiceAnswer,
  RematchAnswer,
  ReplayAnswer,
  ReplayViews,
  ShareAnswer,
  Summary,
} from "../../generated/protocol";
import { fetchJson, fetchText, queryString, tablePath } from "../api";

export const fetchReplay = (id: string, eyes: string): Promise<ReplayAnswer> =>
  fetchJson(`${tablePath(id)}/replay${queryString({ eyes })}`);
export const fetchReplayViews = (id: string, eyes: string, from: number, to: number): Promise<ReplayViews> =>
  fetchJson(`${tablePath(id)}/replay/views${queryString({ eyes, from, to })}`);
export const fetchSummary = (id: string): Promise<Summary> => fetchJson(`${tablePath(id)}/summary`);

/** The record of a game, as text. */
export const fetchRecord = (id: string): Promise<string> => fetchText(`${tablePath(id)}/record?form=text`);

export const fetchDice = (id: string): Promise<DiceAnswer> => fetchJson(`${tablePath(id)}/dice`);
/** Whether one shows a finished game to others, and how to show it or take it back. */
export const fetchShare = (id: string): Promise<ShareAnswer> => fetchJson(`${tablePath(id)}/share`);
export const createShare = (id: string): Promise<ShareAnswer> => fetchJson(`${tablePath(id)}/share`, {});
export const deleteShare = (id: string): Promise<ShareAnswer> =>
  fetchJson(`${tablePath(id)}/share`, undefined, "DELETE");
export const createRematch = (id: string): Promise<RematchAnswer> => fetchJson(`${tablePath(id)}/rematch`, {});
