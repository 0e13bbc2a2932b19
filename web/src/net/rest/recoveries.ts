// REST for codes that bring a guest to another device.

import type { NewRecovery, Recover, Recovered, Recoveries, RecoveryWish } from "../../generated/protocol";
import { fetchJson } from "../request";

const RECOVERIES = "/api/me/recoveries";

export const fetchRecoveries = (): Promise<Recoveries> => fetchJson(RECOVERIES);
export const createRecovery = (wish: RecoveryWish): Promise<NewRecovery> => fetchJson(RECOVERIES, wish);
export const revokeRecoveries = (): Promise<Recoveries> => fetchJson(RECOVERIES, undefined, "DELETE");
export const recoverGuest = (wish: Recover): Promise<Recovered> => fetchJson("/api/me/recover", wish);
