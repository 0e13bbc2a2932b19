// What the layers of a board share.

import { createContext } from "svelte";
import type { Geometry } from "../../game/places/geometry";

/** Where the places of the board are now. */
export const [getGeometry, setGeometry] = createContext<() => Geometry>();
