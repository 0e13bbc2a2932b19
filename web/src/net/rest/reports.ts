// REST for complaints about words at a table.

import type { NewReport, ReportTaken } from "../../generated/protocol";
import { fetchJson } from "../request";
import { tablePath } from "./tables";

/** The key of the seat goes along: the number of a remark is that of the message by which these eyes were told it. */
export const reportWords = (tableId: string, report: NewReport): Promise<ReportTaken> =>
  fetchJson(`${tablePath(tableId)}/reports`, report);
