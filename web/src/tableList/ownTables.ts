// One's own tables: those that are played or wait to be, and those of the past.

import type { MyTableInfo } from "../net/received";

export interface GoingAndPast {
  /** Those that wait for this person stand first, by how long they do. */
  going: MyTableInfo[];
  past: MyTableInfo[];
}

export function ownTables(tables: readonly MyTableInfo[]): GoingAndPast {
  const isOver = ({ table }: MyTableInfo): boolean => table.status === "over";
  return {
    going: tables
      .filter((mine) => !isOver(mine))
      .sort((a, b) => (a.asked_since ?? Infinity) - (b.asked_since ?? Infinity) || 0),
    past: tables.filter(isOver),
  };
}
