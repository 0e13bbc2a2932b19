// REST, typed. Every failure is one shape: {"error": {"code", "message", "rule", "why", "values"}}.

import type {
  BoardAnswer,
  DiceAnswer,
  EditionList,
  Failure,
  Me,
  NewTable,
  NewToken,
  Problem,
  RematchAnswer,
  ReplayAnswer,
  ReplayViews,
  RuleComparison,
  RuleContents,
  RuleEntry,
  RuleHits,
  SeatTaken,
  ShareAnswer,
  Statistics,
  Summary,
  TableAnswer,
  TableList,
  TableOptions,
} from "../generated/protocol";

import { dropTableKey, tableKey } from "./tableKeys";

/** Why not, as the host says it; "lost": it could not be reached. */
export type ApiProblem = Problem | { code: "lost"; message: string; why?: ""; values?: Record<string, never> };

/** The host said no, or could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly problem: ApiProblem,
    readonly status: number,
  ) {
    super(problem.message);
  }
}

/** What the host said no with. Anything else is a mistake of the page, and is thrown on. */
export function apiErrorOrThrow(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure;
  throw failure;
}

const TRIES = 4; // while the host is busy: then nothing was done, and it says when to come back

/** As `fetch`; while the host is busy, again when it says. */
async function fetchPatiently(path: string, how: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(path, { ...how, credentials: "same-origin" });
    const seconds = Number(response.headers?.get("Retry-After"));
    if (response.status !== 503 || !seconds || tries >= TRIES) return response;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (0.5 + Math.random())));
  }
}

/** With the key of the table that is asked, if it has one; the token of a seat that opens nothing any more is let be. */
async function fetchWithKey(path: string, how: RequestInit = {}): Promise<Response> {
  for (;;) {
    const key = tableKey(path);
    const response = await fetchPatiently(
      path,
      key ? { ...how, headers: { ...how.headers, Authorization: key } } : how,
    );
    if (response.status !== 403 || !key) return response;
    if ((await readFailure(response.clone())).problem.why !== "wrong_token") return response;
    dropTableKey(path, key);
  }
}

type Method = "GET" | "POST" | "DELETE";

export async function fetchJson<T>(path: string, body?: unknown, method?: Method): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetchWithKey(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError({ code: "lost", message: "" }, 0);
  }
  if (response.ok) return (await response.json()) as T;
  throw await readFailure(response);
}

/** What a failed answer says. */
async function readFailure(response: Response): Promise<ApiError> {
  let problem: ApiProblem = { code: "failed", message: response.statusText };
  try {
    problem = ((await response.json()) as Failure).error;
  } catch {
    // a proxy's own page, perhaps: the status says enough
  }
  return new ApiError(problem, response.status);
}

const tablePath = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

/** What is given in a query; undefined and null are left out. */
export type Query = Readonly<Record<string, TableOptions[string] | undefined>>;
export function queryString(values: Query): string {
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") said.set(key, String(value));
  }
  const text = said.toString();
  return text ? `?${text}` : "";
}

export const fetchEditions = (): Promise<EditionList> => fetchJson("/api/editions");
export const fetchStatistics = (): Promise<Statistics> => fetchJson("/api/statistics");
export const fetchTables = (status?: string, limit?: number): Promise<TableList> =>
  fetchJson(`/api/tables${queryString({ status, limit })}`);
export const fetchMe = (): Promise<Me> => fetchJson("/api/me");
export const fetchTable = (id: string): Promise<TableAnswer> => fetchJson(tablePath(id));

/** Who sends the same key again gets the same table, and no second one. */
export const createTable = (wanted: NewTable, key: string): Promise<SeatTaken> =>
  fetchJson("/api/tables", { ...wanted, key });
export const claimSeat = (id: string, color: string, name: string): Promise<SeatTaken> =>
  fetchJson(`${tablePath(id)}/seats/${encodeURIComponent(color)}`, { name });
export const createToken = (id: string): Promise<NewToken> =>
  fetchJson(`/api/me/tables/${encodeURIComponent(id)}/token`, {});
export const createRematch = (id: string): Promise<RematchAnswer> => fetchJson(`${tablePath(id)}/rematch`, {});
export const fetchBoardPreview = (wanted: Query): Promise<BoardAnswer> =>
  fetchJson(`/api/boards/preview${queryString(wanted)}`);
export const fetchDice = (id: string): Promise<DiceAnswer> => fetchJson(`${tablePath(id)}/dice`);
/** Whether one shows a finished game to others, and how to show it or take it back. */
export const fetchShare = (id: string): Promise<ShareAnswer> => fetchJson(`${tablePath(id)}/share`);
export const createShare = (id: string): Promise<ShareAnswer> => fetchJson(`${tablePath(id)}/share`, {});
export const deleteShare = (id: string): Promise<ShareAnswer> =>
  fetchJson(`${tablePath(id)}/share`, undefined, "DELETE");
/** Say what one wants to be called; from then on the host knows this browser. */
export const introduce = (name: string): Promise<Me> => fetchJson("/api/me", { name });
export const fetchSummary = (id: string): Promise<Summary> => fetchJson(`${tablePath(id)}/summary`);

/** Which almanac: that of an edition, or of a table with what it plays by. */
export interface RuleBook {
  editionName: string;
  language: string;
  table: string | null;
}
/** A name for it: the same name, the same words. */
export const ruleBookKey = ({ editionName, language, table }: RuleBook): string =>
  `${editionName} ${language} ${table ?? ""}`;
const asked = ({ editionName, ...book }: RuleBook) => ({ edition: editionName, ...book });
export const fetchRuleContents = (book: RuleBook): Promise<RuleContents> =>
  fetchJson(`/api/rules${queryString(asked(book))}`);
export const fetchRuleEntry = (name: string, book: RuleBook): Promise<RuleEntry> =>
  fetchJson(`/api/rules/entries/${encodeURIComponent(name)}${queryString(asked(book))}`);
export const searchRules = (text: string, book: RuleBook): Promise<RuleHits> =>
  fetchJson(`/api/rules/search${queryString({ text, ...asked(book) })}`);
export const fetchRuleComparison = (editions: readonly string[], language: string): Promise<RuleComparison> =>
  fetchJson(`/api/rules/compare${queryString({ editions: editions.join(","), language })}`);
export const fetchReplay = (id: string, eyes: string): Promise<ReplayAnswer> =>
  fetchJson(`${tablePath(id)}/replay${queryString({ eyes })}`);
export const fetchReplayViews = (id: string, eyes: string, from: number, to: number): Promise<ReplayViews> =>
  fetchJson(`${tablePath(id)}/replay/views${queryString({ eyes, from, to })}`);

async function fetchText(path: string): Promise<string> {
  const response = await fetchWithKey(path);
  if (!response.ok) throw await readFailure(response);
  return response.text();
}

/** A drawing by its address; drawings are the host's own and hold no script. */
export const fetchDrawing = fetchText;
/** The record of a game, as text. */
export const fetchRecord = (id: string): Promise<string> => fetchText(`${tablePath(id)}/record?form=text`);

export const kitPath = (colors: readonly string[], theme: string): string =>
  `/api/drawings/kit.svg${queryString({ theme, colors: colors.join(".") })}`;
export const examplePath = (name: string, editionName: string, theme: string, language: string): string =>
  `/api/rules/examples/${name}.svg${queryString({ edition: editionName, theme, language })}`;
export const boardPath = (id: string, theme: string, language: string): string =>
  `${tablePath(id)}/board.svg${queryString({ theme, language })}`;
