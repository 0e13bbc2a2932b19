// REST, typed. Every failure is one shape: {"error": {"code", "message", "rule", "why", "values"}}.

import type {
  BoardAnswer,
  EditionList,
  Failure,
  Me,
  NewTable,
  Problem,
  RuleComparison,
  RuleContents,
  RuleEntry,
  RuleHits,
  SeatTaken,
  Statistics,
  TableAnswer,
  TableList,
} from "../generated/protocol";

/** The host said no, or could not be reached (code "lost"). */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.message);
  }
}

async function ask<T>(path: string, body?: unknown, token?: string | null): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError({ code: "lost", message: "" }, 0);
  }
  if (response.ok) return (await response.json()) as T;
  throw await refused(response);
}

/** What a failed answer says. */
async function refused(response: Response): Promise<ApiError> {
  let problem: Problem = { code: "failed", message: response.statusText };
  try {
    problem = ((await response.json()) as Failure).error;
  } catch {
    // a proxy's own page, perhaps: the status says enough
  }
  return new ApiError(problem, response.status);
}

const table = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

/** A query string of what is given; undefined and null are left out. */
export function query(values: Record<string, unknown>): string {
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") said.set(key, String(value));
  }
  const text = said.toString();
  return text ? `?${text}` : "";
}

export const editions = (): Promise<EditionList> => ask("/api/editions");
export const statistics = (): Promise<Statistics> => ask("/api/statistics");
export const tables = (status?: string, limit?: number): Promise<TableList> =>
  ask(`/api/tables${query({ status, limit })}`);
export const mine = (): Promise<Me> => ask("/api/me");
export const look = (id: string, token?: string | null): Promise<TableAnswer> => ask(table(id), undefined, token);

/** The keys of wishes without an answer: a second press, or another try when an answer was lost, makes no second table. */
const keys = new Map<string, string>();

export async function create(wanted: NewTable): Promise<SeatTaken> {
  const wish = JSON.stringify(wanted);
  const key = keys.get(wish) ?? randomKey();
  keys.set(wish, key);
  const made = await ask<SeatTaken>("/api/tables", { ...wanted, key });
  keys.delete(wish);
  return made;
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const take = (id: string, color: string, name: string): Promise<SeatTaken> =>
  ask(`${table(id)}/seats/${encodeURIComponent(color)}`, { name });
export const token = (id: string): Promise<{ seat: string; token: string; link: string }> =>
  ask(`/api/me/tables/${encodeURIComponent(id)}/token`, {});
export const rematch = (id: string): Promise<{ table: string }> => ask(`${table(id)}/rematch`, {});
export const preview = (wanted: Record<string, unknown>): Promise<BoardAnswer> =>
  ask(`/api/boards/preview${query(wanted)}`);
export const summary = <T>(id: string): Promise<T> => ask(`${table(id)}/summary`);

/** Which almanac: that of an edition, or of a table with what it plays by. */
export interface Book {
  edition: string;
  language: string;
  table: string | null;
}
/** A name for it: the same name, the same words. */
export const bookKey = ({ edition, language, table }: Book): string => `${edition} ${language} ${table ?? ""}`;
export const ruleContents = (book: Book): Promise<RuleContents> => ask(`/api/rules${query({ ...book })}`);
export const ruleEntry = (name: string, book: Book): Promise<RuleEntry> =>
  ask(`/api/rules/entries/${encodeURIComponent(name)}${query({ ...book })}`);
export const ruleSearch = (text: string, book: Book): Promise<RuleHits> =>
  ask(`/api/rules/search${query({ text, ...book })}`);
export const ruleComparison = (editions: readonly string[], language: string): Promise<RuleComparison> =>
  ask(`/api/rules/compare${query({ editions: editions.join(","), language })}`);
export const replay = <T>(id: string, eyes: string): Promise<T> => ask(`${table(id)}/replay${query({ eyes })}`);
export const replayViews = <T>(id: string, eyes: string, from: number, to: number): Promise<T> =>
  ask(`${table(id)}/replay/views${query({ eyes, from, to })}`);

/** A drawing by its address; drawings are the host's own and hold no script. */
export async function drawing(path: string): Promise<string> {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) throw await refused(response);
  return response.text();
}

export const kitPath = (colors: readonly string[], theme: string): string =>
  `/api/drawings/kit.svg${query({ theme, colors: colors.join(".") })}`;
export const examplePath = (name: string, edition: string, theme: string, language: string): string =>
  `/api/rules/examples/${name}.svg${query({ edition, theme, language })}`;
export const boardPath = (id: string, theme: string, language: string): string =>
  `${table(id)}/board.svg${query({ theme, language })}`;
