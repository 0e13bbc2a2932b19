// What the layers of a board share.

import { createContext } from "svelte";
import type { Geometry } from "../game/places/geometry";

export const [getBoard, setBoard] = createContext<{ readonly geometry: Geometry }>();
