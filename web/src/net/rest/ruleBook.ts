// REST for an almanac as a whole: which one it is, and what is in it.

import type { RuleContents } from "../../generated/protocol";
import { fetchJson, queryString } from "../request";

/** Which almanac: that of an edition, or of a table with what it plays by. */
export interface RuleBook {
  editionName: string;
  language: string;
  tableId: string | null;
}
/** A name for it: the same name, the same words. */
export const ruleBookKey = ({ editionName, language, tableId }: RuleBook): string =>
  `${editionName} ${language} ${tableId ?? ""}`;
export const bookQuery = ({ editionName, language, tableId }: RuleBook) => ({
  edition: editionName,
  language,
  table: tableId,
});
export const fetchRuleContents = (book: RuleBook): Promise<RuleContents> =>
  fetchJson(`/api/rules${queryString(bookQuery(book))}`);
