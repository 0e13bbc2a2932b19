// What this browser keeps of the dice of a table until the end: what the host promised, and the own word.

import type { Color } from "../../generated/protocol";
import { isColor, type ByColor } from "../../net/colors";
import { isFields, readStored, textsIn, writeStored } from "./storage";

export interface DiceNote {
  /** The host's promise of its key, as it was first seen here. */
  commitment: string;
  /** The seat for which a word was promised, and the word. */
  color?: Color;
  word?: string;
  /** The host has taken the promise. */
  promised?: boolean;
  /** The promises of all seats as they were when the own word was opened: none may be added after that. */
  promises?: ByColor<string>;
}

const MOST = 200;

export function readDiceNote(tableId: string): DiceNote | null {
  const fields = readStored("dice")[tableId];
  if (!isFields(fields)) return null;
  const { commitment, color, word } = textsIn(fields);
  if (commitment === undefined) return null;
  return {
    commitment,
    ...(color !== undefined && isColor(color) && { color }),
    ...(word !== undefined && { word }),
    ...(fields.promised === true && { promised: true }),
    ...(isFields(fields.promises) && { promises: textsIn(fields.promises) }),
  };
}

export function storeDiceNote(tableId: string, note: DiceNote): void {
  const { [tableId]: _old, ...others } = readStored("dice");
  const entries = [...Object.entries(others), [tableId, note] as const].slice(-MOST);
  writeStored("dice", Object.fromEntries(entries));
}

/** The host promised its key before the game; a later promise of the same table does not count. */
export function noteCommitment(tableId: string, commitment: string): void {
  if (!readDiceNote(tableId)) storeDiceNote(tableId, { commitment });
}
