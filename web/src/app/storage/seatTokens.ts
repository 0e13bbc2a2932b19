// The seats this browser holds: table id -> token. One that came in a link is written down here once it has opened the
// table.

import { readStored, textsIn, writeStored } from "./storage";

const MOST = 200;

export function readSeatToken(table: string): string | null {
  return readTokens()[table] ?? null;
}

export function storeSeatToken(table: string, token: string): void {
  const { [table]: _old, ...others } = readTokens();
  const entries = [...Object.entries(others), [table, token] as const].slice(-MOST);
  writeStored("seats", Object.fromEntries(entries));
}

export function dropSeatToken(table: string): void {
  const { [table]: _old, ...others } = readTokens();
  writeStored("seats", others);
}

const readTokens = (): Record<string, string> => textsIn(readStored("seats"));
