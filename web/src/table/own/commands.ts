// Typed commands: how a player writes an action. Whether it may be played now is said by the host.

import { isActionKind } from "../../game/actions/action";
import { ACTION_EXAMPLES } from "../../generated/names";

/** How a command that could not be read is written: an example of its word; null: there is no such word. */
export function exampleFor(text: string): string | null {
  const word = text.trim().toLowerCase().split(/\s+/)[0] ?? "";
  return isActionKind(word) ? ACTION_EXAMPLES[word] : null;
}
