// How the page looks and moves: as this person chose, else as the system has it.

import { MediaQuery } from "svelte/reactivity";
import type { StoredSettings } from "./storage/settings.svelte";

export class Appearance {
  private readonly dark = new MediaQuery("(prefers-color-scheme: dark)");
  private readonly still = new MediaQuery("(prefers-reduced-motion: reduce)");

  constructor(private readonly settings: Pick<StoredSettings, "theme" | "motion">) {}

  get theme(): "light" | "dark" {
    if (this.settings.theme !== "system") return this.settings.theme;
    return this.dark.current ? "dark" : "light";
  }

  get motion(): boolean {
    return this.settings.motion === "system" ? !this.still.current : this.settings.motion === "on";
  }
}
