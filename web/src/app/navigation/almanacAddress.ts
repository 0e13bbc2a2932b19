// Where one is in the almanac: an entry or a comparison, in the words of an edition; as an address and back.

import { queryString } from "../../net/request";

export interface AlmanacAddress {
  /** The name of an entry, the id of a rule, COMPARISON, or "" for the list. */
  entry: string;
  editionName: string;
  /** The edition to compare with; empty: none was chosen. */
  other: string;
  /** The part of the entry that was looked for. */
  block: number | null;
}

export const COMPARISON = "compare";
const RULE = /^[A-Z]+-\d\d$/;

/** What an address means; `usual` is the edition if it names none. */
export function readAddress(path: string, usual: string): AlmanacAddress {
  const { pathname, searchParams } = new URL(path, "http://here");
  const [, , entry = ""] = pathname.split("/");
  const block = searchParams.get("block");
  return {
    entry: decodeURIComponent(entry),
    editionName: searchParams.get("edition") ?? usual,
    other: searchParams.get("with") ?? "",
    block: block !== null && /^\d+$/.test(block) ? Number(block) : null,
  };
}

export function almanacPath({
  entry = "",
  editionName,
  other,
  block,
}: Partial<AlmanacAddress> & { editionName: string }): string {
  const path = entry ? `/rules/${encodeURIComponent(entry)}` : "/rules";
  return path + queryString({ edition: editionName, with: other, block });
}

/** Whether a name is that of a rule. */
export const isRule = (name: string): boolean => RULE.test(name);
