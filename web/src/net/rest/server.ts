// REST for what the host itself is: the editions it has, and how it is doing.

import type { Statistics } from "../../generated/protocol";
import { readEditions, readStatistics, type EditionsInfo } from "../received";
import { fetchJson } from "../request";

export const fetchEditions = async (): Promise<EditionsInfo> => readEditions(await fetchJson("/api/editions"));
export const fetchStatistics = async (): Promise<Required<Statistics>> =>
  readStatistics(await fetchJson("/api/statistics"));
