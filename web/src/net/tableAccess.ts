// By what the host lets us look at a table, beside the cookie: the token of a seat, or the secret of a game that is shown.
// The requests of a page carry it to their table, in the header Authorization, which no server writes down.

/** By the id of the table. */
const entries = new Map<string, string[]>();

/** What opens a table here, the best first; what is not there is left out. */
export function setTableAccess(tableId: string, token: string | null, share: string | null = null): void {
  const found = [token && `Bearer ${token}`, share && `Share ${share}`].filter((one): one is string => !!one);
  entries.set(tableId, found);
}

const tableIdIn = (path: string): string | null => {
  const found = /^\/api\/tables\/([^/?]+)/.exec(path) ?? /^\/api\/rules.*[?&]table=([^&]+)/.exec(path);
  return found?.[1] ? decodeURIComponent(found[1]) : null;
};

/** What goes into the header of a request; null: nothing. */
export function tableAuthorization(path: string): string | null {
  const tableId = tableIdIn(path);
  return (tableId !== null && entries.get(tableId)?.[0]) || null;
}

/** An entry opened nothing: the next one is tried. */
export function dropTableAccess(path: string, entry: string): void {
  const tableId = tableIdIn(path);
  if (tableId !== null) entries.set(tableId, entries.get(tableId)?.filter((kept) => kept !== entry) ?? []);
}

/** The secret behind the # of a link that shows a game. It stays there: the address may be sent on. */
export const readShareSecret = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("share");
