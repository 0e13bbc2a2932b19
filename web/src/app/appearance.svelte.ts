// How the page looks and moves: as this person chose, else as the system has it.

import { media } from "./media.svelte";
import { settings } from "./storage/settings.svelte";

const darkSystem = media("(prefers-color-scheme: dark)");
const stillSystem = media("(prefers-reduced-motion: reduce)");

export const appearance = {
  get theme(): "light" | "dark" {
    if (settings.theme !== "system") return settings.theme;
    return darkSystem.matches ? "dark" : "light";
  },
  get motion(): boolean {
    return settings.motion === "system" ? !stillSystem.matches : settings.motion === "on";
  },
};
