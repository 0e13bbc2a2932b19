// By what the host lets us look at a table, beside the cookie: the token of a seat, or the secret of a game that is shown.
// The requests of a page carry it to their table, in the header Authorization, which no server writes down.

const keys = new Map<string, string[]>();

/** What opens a table here, the best first; what is not there is left out. */
export function setTableKeys(table: string, token: string | null, share: string | null = null): void {
  const found = [token && `Bearer ${token}`, share && `Share ${share}`].filter((entry): entry is string => !!entry);
  keys.set(table, found);
}

const tableOf = (path: string): string | null => {
  const found = /^\/api\/tables\/([^/?]+)/.exec(path) ?? /^\/api\/rules.*[?&]table=([^&]+)/.exec(path);
  return found?.[1] ? decodeURIComponent(found[1]) : null;
};

/** What goes into the header of a request; null: nothing. */
export function tableKey(path: string): string | null {
  const table = tableOf(path);
  return (table !== null && keys.get(table)?.[0]) || null;
}

/** A key opened nothing: the next one is tried. */
export function dropTableKey(path: string, key: string): void {
  const table = tableOf(path);
  if (table !== null) keys.set(table, keys.get(table)?.filter((kept) => kept !== key) ?? []);
}

/** The secret behind the # of a link that shows a game. It stays there: the address may be sent on. */
export const readShareSecret = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("share");
