// Saves the record of a game to a file. A plain link would not carry the token of a seat.

import { fetchRecord } from "../net/rest/finishedGames";

/** How long the browser may take to read what is to be saved. */
const KEPT = 60_000;

export async function saveRecord(tableId: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([await fetchRecord(tableId)], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: `${tableId}.hexholm` }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}
