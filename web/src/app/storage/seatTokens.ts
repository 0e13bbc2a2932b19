// The seats this browser holds: table id -> token. A token in the fragment of a link is taken out of the address, so that
// nobody reads it over a shoulder or sends it on by accident; it is written down here once it has opened the table.

import { writeStored, readStored } from "./storage";

const KEY = "hexholm.seats";
const MOST = 200;

type TokensByTable = Record<string, string>;

export function readSeatToken(table: string): string | null {
  return readStored<TokensByTable>(KEY, {})[table] ?? null;
}

export function storeSeatToken(table: string, token: string): void {
  const { [table]: _old, ...others } = readStored<TokensByTable>(KEY, {});
  const entries = [...Object.entries(others), [table, token] as const].slice(-MOST);
  writeStored(KEY, Object.fromEntries(entries));
}

export function dropSeatToken(table: string): void {
  const { [table]: _old, ...others } = readStored<TokensByTable>(KEY, {});
  writeStored(KEY, others);
}

/** The token in the address's fragment (#seat=...), if there is one; it is removed from the address. */
export function takeTokenFromAddress(): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (found !== null) history.replaceState(null, "", location.pathname + location.search);
  return found || null;
}
