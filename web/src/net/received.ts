// What comes from the host, as the page takes it in. The host is taken at its word, since the types are made from its own
// (generated/protocol.d.ts); what it leaves out because it goes without saying is put back here, once.

import type {
  Changed,
  ChanceLine,
  EditionList,
  Hello,
  Me,
  MyTable,
  Outgoing,
  Problem,
  SeatLine,
  Statistics,
  TableLine,
} from "../generated/protocol";
import {
  CHANCE_DEFAULTS,
  CHANGED_DEFAULTS,
  HELLO_DEFAULTS,
  SEAT_DEFAULTS,
  STATISTICS_DEFAULTS,
  TABLE_DEFAULTS,
} from "../generated/defaults";

/** Who sits on a seat. */
export type SeatInfo = SeatLine & typeof SEAT_DEFAULTS;
/** What everybody may know of a table. */
export type TableInfo = Omit<TableLine & typeof TABLE_DEFAULTS, "seats"> & { seats: SeatInfo[] };
/** Something that tells of a table. */
export type OfTable<Answer extends { table: TableLine }> = Omit<Answer, "table"> & { table: TableInfo };

export type ReceivedHello = OfTable<Hello & typeof HELLO_DEFAULTS>;
export type ReceivedChange = OfTable<Changed & typeof CHANGED_DEFAULTS>;
/** Any message of a table. */
export type Received = Exclude<Outgoing, Hello | Changed> | ReceivedHello | ReceivedChange;

/** A table of the guest who asks. */
export type MyTableInfo = OfTable<MyTable>;
export type MeInfo = Omit<Me, "tables"> & { tables: MyTableInfo[] };

export type ChanceInfo = ChanceLine & typeof CHANCE_DEFAULTS;
export type EditionsInfo = Omit<EditionList, "chances"> & { chances: ChanceInfo[] };

/** Data that came from the host: the one place where it gets its type. */
export function trusted<T>(data: unknown): T {
  return data as T;
}

export function readTable(table: TableLine): TableInfo {
  return { ...TABLE_DEFAULTS, ...table, seats: table.seats.map((seat) => ({ ...SEAT_DEFAULTS, ...seat })) };
}

/** People roll, and perhaps draw: before a table is known nobody does. */
export const isPlayedWithRealDice = (info: Pick<TableInfo, "chance"> | null): boolean =>
  info !== null && info.chance !== "host";

export const withTable = <Answer extends { table: TableLine }>(answer: Answer): OfTable<Answer> => ({
  ...answer,
  table: readTable(answer.table),
});

export function readMessage(text: string): Received {
  const message = trusted<Outgoing>(JSON.parse(text));
  if (message.type === "hello") return withTable({ ...HELLO_DEFAULTS, ...message });
  return message.type === "changed" ? withTable({ ...CHANGED_DEFAULTS, ...message }) : message;
}

export function readEditions(list: EditionList): EditionsInfo {
  return { ...list, chances: list.chances.map((chance) => ({ ...CHANCE_DEFAULTS, ...chance })) };
}

export const readMe = (me: Me): MeInfo => ({ ...me, tables: me.tables.map(withTable) });

export const readStatistics = (statistics: Statistics): Required<Statistics> => ({
  ...STATISTICS_DEFAULTS,
  ...statistics,
});

/** Why a request was refused, in the host's one shape of an error; null: the answer is not the host's own. */
export function refusalIn(data: unknown): Problem | null {
  const { error } = trusted<{ error?: Partial<Problem> } | null>(data) ?? {};
  return typeof error?.code === "string" && typeof error.message === "string" ? trusted<Problem>(error) : null;
}
