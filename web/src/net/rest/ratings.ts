// REST for ratings: the list of all, and one's own games that counted.

import type { MyRatings, RatingList } from "../../generated/protocol";
import { fetchJson, queryString } from "../request";

export const fetchRatings = (skip = 0): Promise<RatingList> => fetchJson(`/api/ratings${queryString({ skip })}`);
export const fetchMyRatings = (before?: number, limit?: number): Promise<MyRatings> =>
  fetchJson(`/api/me/ratings${queryString({ before, limit })}`);
