// REST for what is kept of the guest who asks: to look at, as a file, not at all.

import type { GuestDeleted, Me } from "../../generated/protocol";
import { readMe, type MeInfo } from "../received";
import { fetchJson } from "../request";

/** All that is kept, to be saved as a file. */
export const EXPORT_PATH = "/api/me/export";

export const fetchMe = async (): Promise<MeInfo> => readMe(await fetchJson("/api/me"));
/** Say what one wants to be called; from then on the host knows this browser. */
export const introduce = (name: string): Promise<Me> => fetchJson("/api/me", { name });
export const deleteGuest = (): Promise<GuestDeleted> => fetchJson("/api/me?confirm=delete", undefined, "DELETE");
