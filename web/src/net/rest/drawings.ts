// REST for drawings. They are the host's own and hold no script.

import type { Color } from "../../generated/protocol";
import { fetchText, queryString } from "../request";
import { tablePath } from "./tables";

/** A drawing by its address. */
export const fetchDrawing = fetchText;
export const kitPath = (colors: readonly Color[], theme: string): string =>
  `/api/drawings/kit.svg${queryString({ theme, colors: colors.join(".") })}`;
export const boardPath = (tableId: string, theme: string, language: string): string =>
  `${tablePath(tableId)}/board.svg${queryString({ theme, language })}`;
