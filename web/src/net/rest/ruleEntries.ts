// REST for the almanac: entries, what a search finds, editions side by side, drawings of examples.

import type { RuleComparison, RuleEntry, RuleHits } from "../../generated/protocol";
import { bookQuery, type RuleBook } from "./ruleBook";
import { fetchJson, queryString } from "../request";

export const fetchRuleEntry = (name: string, book: RuleBook): Promise<RuleEntry> =>
  fetchJson(`/api/rules/entries/${encodeURIComponent(name)}${queryString(bookQuery(book))}`);
export const searchRules = (text: string, book: RuleBook): Promise<RuleHits> =>
  fetchJson(`/api/rules/search${queryString({ text, ...bookQuery(book) })}`);
export const fetchRuleComparison = (editions: readonly string[], language: string): Promise<RuleComparison> =>
  fetchJson(`/api/rules/compare${queryString({ editions: editions.join(","), language })}`);
export const examplePath = (name: string, editionName: string, theme: string, language: string): string =>
  `/api/rules/examples/${name}.svg${queryString({ edition: editionName, theme, language })}`;
