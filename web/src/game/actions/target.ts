// A choice that is made on the board.

import type { Color, PieceKind } from "../../generated/protocol";

/** Pieces that can cost nothing. */
type FreePiece = "road" | "settlement";

/** A place where something can be done; `color` is the piece's, or the victim's. */
interface AnyTarget {
  place: string;
  action: string;
  color: Color;
}

/** `put`: the piece costs nothing. It is put there, as the sentence of the table has it, and not built. */
export type Target = AnyTarget &
  ({ put: true; piece: FreePiece } | { put?: false; piece: PieceKind | "robber" | "victim" });
