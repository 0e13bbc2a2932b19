// REST for what is kept of the guest who asks: on another device, as a file, not at all.

import type {
  GuestDeleted,
  Me,
  NewRecovery,
  Recover,
  Recovered,
  Recoveries,
  RecoveryWish,
} from "../../generated/protocol";
import { fetchJson } from "../api";

const RECOVERIES = "/api/me/recoveries";
/** All that is kept, to be saved as a file. */
export const EXPORT_PATH = "/api/me/export";

export const fetchRecoveries = (): Promise<Recoveries> => fetchJson(RECOVERIES);
export const createRecovery = (wish: RecoveryWish): Promise<NewRecovery> => fetchJson(RECOVERIES, wish);
export const revokeRecoveries = (): Promise<Recoveries> => fetchJson(RECOVERIES, undefined, "DELETE");
export const recoverGuest = (wish: Recover): Promise<Recovered> => fetchJson("/api/me/recover", wish);
export const deleteGuest = (): Promise<GuestDeleted> => fetchJson("/api/me?confirm=delete", undefined, "DELETE");
/** Say what one wants to be called; from then on the host knows this browser. */
export const introduce = (name: string): Promise<Me> => fetchJson("/api/me", { name });
