// The seats this browser holds: table id -> token. One that came in a link is written down here once it has opened the
// table.

import { readStored, textsIn, writeStored } from "./storage";

const MOST = 200;

export function readSeatToken(tableId: string): string | null {
  return readTokens()[tableId] ?? null;
}

export function storeSeatToken(tableId: string, token: string): void {
  const { [tableId]: _old, ...others } = readTokens();
  const entries = [...Object.entries(others), [tableId, token] as const].slice(-MOST);
  writeStored("seats", Object.fromEntries(entries));
}

export function dropSeatToken(tableId: string): void {
  const { [tableId]: _old, ...others } = readTokens();
  writeStored("seats", others);
}

const readTokens = (): Record<string, string> => textsIn(readStored("seats"));
