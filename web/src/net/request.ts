// A request to the host. Every failure is one shape: {"error": {"code", "message", "rule", "why", "values"}}.

import type { Problem, TableOptions } from "../generated/protocol";
import { refusalIn, trusted } from "./received";
import { dropTableAccess, tableAuthorization } from "./tableAccess";

/** What the host said no with; "lost": it could not be reached. */
export type ApiRefusal = Problem | { code: "lost"; message: string; why?: ""; values?: Record<string, never> };

/** The host said no, or could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly refusal: ApiRefusal,
    readonly status: number,
  ) {
    super(refusal.message);
  }
}

/** What the host said no with. Anything else is a mistake of the page, and is thrown on. */
export function apiErrorOrThrow(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure;
  throw failure;
}

const LONGEST = 30_000; // without an answer: then the host counts as lost
const TRIES = 4; // while the host is busy: then nothing was done, and it says when to come back

/** As `fetch`; while the host is busy, again when it says. */
async function fetchPatiently(path: string, how: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(path, { ...how, credentials: "same-origin", signal: AbortSignal.timeout(LONGEST) });
    const seconds = Number(response.headers?.get("Retry-After"));
    if (response.status !== 503 || !seconds || tries >= TRIES) return response;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (0.5 + Math.random())));
  }
}

/** With what opens the table that is asked, if anything is held; the token of a seat that opens nothing any more is let be. */
async function fetchAuthorized(path: string, how: RequestInit = {}): Promise<Response> {
  for (;;) {
    const entry = tableAuthorization(path);
    const response = await fetchPatiently(
      path,
      entry ? { ...how, headers: { ...how.headers, Authorization: entry } } : how,
    );
    if (response.status !== 403 || !entry) return response;
    if ((await readFailure(response.clone())).refusal.why !== "wrong_token") return response;
    dropTableAccess(path, entry);
  }
}

type Method = "GET" | "POST" | "DELETE";

export async function fetchJson<T>(path: string, body?: unknown, method?: Method): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetchAuthorized(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError({ code: "lost", message: "" }, 0);
  }
  if (response.ok) return trusted<T>(await response.json());
  throw await readFailure(response);
}

/** What a failed answer says. */
async function readFailure(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => null); // a proxy's own page, perhaps: the status says enough
  return new ApiError(refusalIn(data) ?? { code: "failed", message: response.statusText }, response.status);
}

export async function fetchText(path: string): Promise<string> {
  const response = await fetchAuthorized(path);
  if (!response.ok) throw await readFailure(response);
  return response.text();
}

/** What is given in a query; undefined and null are left out. */
export type Query = Readonly<Record<string, TableOptions[string] | undefined>>;
export function queryString(values: Query): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, String(value));
  }
  const text = query.toString();
  return text ? `?${text}` : "";
}
