// What this browser keeps of the dice of a table until the end: what the host promised, and the own word.

import { readStored, writeStored } from "./storage";

export interface DiceNote {
  /** The host's promise of its key, as it was first seen here. */
  commitment: string;
  /** The seat for which a word was promised, and the word. */
  color?: string;
  word?: string;
  /** The host has taken the promise. */
  promised?: boolean;
  /** The promises of all seats as they were when the own word was opened: none may be added after that. */
  promises?: Record<string, string>;
}

const KEY = "hexholm.dice";
const MOST = 200;

export function readDiceNote(table: string): DiceNote | null {
  return readStored<Record<string, DiceNote>>(KEY, {})[table] ?? null;
}

export function storeDiceNote(table: string, note: DiceNote): void {
  const { [table]: _old, ...others } = readStored<Record<string, DiceNote>>(KEY, {});
  const entries = [...Object.entries(others), [table, note] as const].slice(-MOST);
  writeStored(KEY, Object.fromEntries(entries));
}

/** The host promised its key before the game; a later promise of the same table does not count. */
export function noteCommitment(table: string, commitment: string): void {
  if (!readDiceNote(table)) storeDiceNote(table, { commitment });
}
