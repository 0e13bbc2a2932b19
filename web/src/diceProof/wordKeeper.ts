// A seat's own word for the dice: drawn and promised before the game, kept here, and opened when the host asks for it.
// Nobody has to do anything for it.

import { noteCommitment, readDiceNote, storeDiceNote } from "../app/storage/diceNotes";
import type { Color, DiceLine } from "../generated/protocol";
import type { CommandBody } from "../net/connection";
import { randomHex } from "../net/randomHex";
import { promiseOf } from "./digests";

/** The table as this needs it. */
export interface WordTable {
  readonly id: string;
  /** The color of the own seat. */
  readonly ownColor: Color | null;
  readonly dice: DiceLine | null;
  readonly info: { readonly status: string } | null;
  /** Send a command of which nobody is told. False: refused. */
  sendQuietly(body: CommandBody): Promise<boolean>;
}

const WORD_BYTES = 16;

export class WordKeeper {
  private busy = false;
  private again = false;
  /** The promise that the host has taken from here, and whether the table has shown it since. */
  private accepted = "";
  private acceptedShown = false;
  private ownColor: Color | null = null;

  constructor(private readonly table: WordTable) {}

  /** Do what is to be done now; to be called whenever something has changed. */
  async tend(): Promise<void> {
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.again) {
        this.again = false;
        await this.step();
      }
    } finally {
      this.busy = false;
    }
  }

  private async step(): Promise<void> {
    const { id, ownColor, dice, info } = this.table;
    if (!dice || info?.status !== "open") return;
    noteCommitment(id, dice.commitment);
    if (!ownColor) return;
    if (ownColor !== this.ownColor) [this.ownColor, this.accepted] = [ownColor, ""];
    if (dice.opening) await this.open(id, ownColor, dice);
    else await this.promise(id, ownColor, dice);
  }

  private async promise(id: string, ownColor: Color, dice: DiceLine): Promise<void> {
    const there = dice.promises?.[ownColor];
    const note = readDiceNote(id);
    if (there) {
      if (there === this.accepted) this.acceptedShown = true;
      // Else it was promised before the page was loaded again; or by another browser of the same seat, which opens it.
      else if (note?.word && !note.promised && there === promiseOf(id, ownColor, note.word))
        storeDiceNote(id, { ...note, promised: true });
      return;
    }
    if (!note || (this.accepted && !this.acceptedShown)) return; // it was taken a moment ago
    // What was opened once, or taken by a seat that was given up, is no secret or promises nothing: a new word then.
    const kept = !this.accepted && note.color === ownColor && !note.promised ? note.word : undefined;
    const word = kept ?? randomHex(WORD_BYTES);
    const { commitment } = note;
    storeDiceNote(id, { commitment, color: ownColor, word }); // before it is promised: what is lost cannot be opened
    const promise = promiseOf(id, ownColor, word);
    if (!(await this.table.sendQuietly({ type: "promise_word", promise }))) return;
    storeDiceNote(id, { commitment, color: ownColor, word, promised: true });
    [this.accepted, this.acceptedShown] = [promise, false];
  }

  private async open(id: string, ownColor: Color, dice: DiceLine): Promise<void> {
    const note = readDiceNote(id);
    if (note?.color !== ownColor || !note.word || dice.words?.[ownColor]) return;
    if (dice.promises?.[ownColor] !== promiseOf(id, ownColor, note.word)) return;
    if (!note.promises) storeDiceNote(id, { ...note, promises: dice.promises });
    await this.table.sendQuietly({ type: "open_word", word: note.word });
  }
}
