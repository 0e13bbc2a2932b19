// REST for complaints about words at a table.

import type { NewReport, ReportTaken } from "../generated/protocol";
import { fetchJson } from "./api";

/** The number of a remark is that of the message by which these eyes were told it, so the host must know whose they are. */
export const reportWords = (table: string, report: NewReport, token: string | null): Promise<ReportTaken> =>
  fetchJson(`/api/tables/${encodeURIComponent(table)}/reports`, report, token);
