// REST for the board that a new table could have.

import type { BoardAnswer } from "../../generated/protocol";
import { fetchJson, queryString, type Query } from "../request";

export const fetchBoardPreview = (wanted: Query): Promise<BoardAnswer> =>
  fetchJson(`/api/boards/preview${queryString(wanted)}`);
