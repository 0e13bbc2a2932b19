// What this person wants, kept in this browser: theme, motion, sound, confirmation, shortcuts, name.

export interface Settings {
  theme: "system" | "light" | "dark";
  motion: "system" | "on" | "off";
  sound: boolean;
  /** Ask once more before something is built. */
  confirm: boolean;
  shortcuts: boolean;
  /** Show the line for typed commands. */
  commands: boolean;
  /** Show the names of the places on the board. */
  places: boolean;
  name: string;
}

const KEY = "hexholm.settings";
const DEFAULTS: Settings = {
  theme: "system",
  motion: "system",
  sound: false,
  confirm: false,
  shortcuts: true,
  commands: false,
  places: false,
  name: "",
};

/** localStorage, or nothing where the browser forbids it. */
export function stored<T extends object>(key: string, otherwise: T): T {
  try {
    return { ...otherwise, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<T>) };
  } catch {
    return { ...otherwise };
  }
}

export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // private windows may not keep anything: the page works without
  }
}

export const settings: Settings = $state(stored(KEY, DEFAULTS));

export function keep(change: Partial<Settings>): void {
  Object.assign(settings, change);
  store(KEY, settings);
}

function media(text: string): { readonly matches: boolean } {
  const list = globalThis.matchMedia?.(text);
  let matches = $state(list?.matches ?? false);
  list?.addEventListener("change", () => (matches = list.matches));
  return {
    get matches() {
      return matches;
    },
  };
}

const darkSystem = media("(prefers-color-scheme: dark)");
const stillSystem = media("(prefers-reduced-motion: reduce)");
/** Wide enough for the desktop's three columns. */
export const wide = media("(min-width: 1000px)");
/** A finger rather than a mouse: the first tap shows, the second builds. */
export const touch = media("(pointer: coarse)");

export const looks = {
  get theme(): "light" | "dark" {
    if (settings.theme !== "system") return settings.theme;
    return darkSystem.matches ? "dark" : "light";
  },
  get motion(): boolean {
    return settings.motion === "system" ? !stillSystem.matches : settings.motion === "on";
  },
};
