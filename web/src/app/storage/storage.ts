// What this browser keeps for us, by key.

/** Where the browser keeps nothing for us, the page does, as long as it is open. */
const here: Record<string, string> = {};

export function readStored<T extends object>(key: string, otherwise: T): T {
  try {
    const text = here[key] ?? localStorage.getItem(key) ?? "{}";
    return { ...otherwise, ...(JSON.parse(text) as Partial<T>) };
  } catch {
    return { ...otherwise };
  }
}

export function writeStored(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
  } catch {
    here[key] = text;
  }
}

export function dropStored(key: string): void {
  Reflect.deleteProperty(here, key);
  try {
    localStorage.removeItem(key);
  } catch {
    // then nothing was kept there
  }
}
