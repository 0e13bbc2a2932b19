// New tables: a second press, or another try when an answer was lost, makes no second one.

import type { NewTable, SeatTaken } from "../../generated/protocol";
import { createTable } from "./tables";
import { randomHex } from "../randomHex";

export class TableCreator {
  /** The keys of tables that were asked for and not answered, by what was asked. */
  private readonly keys = new Map<string, string>();

  async create(wanted: NewTable): Promise<SeatTaken> {
    const body = JSON.stringify(wanted);
    const key = this.keys.get(body) ?? randomHex(16);
    this.keys.set(body, key);
    const made = await createTable(wanted, key);
    this.keys.delete(body);
    return made;
  }
}
