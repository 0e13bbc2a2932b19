// REST for tables: to find one, to make one, to sit down.

import type { Color, NewTable, NewToken, SeatTaken, TableAnswer, TableList } from "../../generated/protocol";
import { readTable, withTable, type OfTable, type TableInfo } from "../received";
import { fetchJson, queryString } from "../request";

export const tablePath = (tableId: string): string => `/api/tables/${encodeURIComponent(tableId)}`;

export async function fetchTables(status: TableInfo["status"], limit: number): Promise<TableInfo[]> {
  const { tables } = await fetchJson<TableList>(`/api/tables${queryString({ status, limit })}`);
  return tables.map(readTable);
}
export const fetchTable = async (tableId: string): Promise<OfTable<TableAnswer>> =>
  withTable(await fetchJson<TableAnswer>(tablePath(tableId)));

/** Who sends the same key again gets the same table, and no second one. */
export const createTable = (wanted: NewTable, key: string): Promise<SeatTaken> =>
  fetchJson("/api/tables", { ...wanted, key });
export const claimSeat = (tableId: string, color: Color, name: string): Promise<SeatTaken> =>
  fetchJson(`${tablePath(tableId)}/seats/${encodeURIComponent(color)}`, { name });
/** A new token of one's own seat. */
export const createToken = (tableId: string): Promise<NewToken> =>
  fetchJson(`/api/me/tables/${encodeURIComponent(tableId)}/token`, {});
