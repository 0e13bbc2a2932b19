// What this browser keeps for us. All of it is named here: how the page is set up, and what
// is about the person, which goes when they delete themselves.

const PERSONAL = ["seats", "lasttable", "tutorial", "dice"] as const;

export type StorageName = "settings" | "language" | "keys" | (typeof PERSONAL)[number];
/** Whatever was kept: everybody can write there, so whoever reads it looks at each of its fields. */
export type StoredFields = Readonly<Record<string, unknown>>;

/** Where the browser keeps nothing for us, the page does, as long as it is open. */
const here: Partial<Record<StorageName, string>> = {};

const keyOf = (name: StorageName): string => `hexholm.${name}`;

export function isFields(value: unknown): value is StoredFields {
  return typeof value === "object" && value !== null;
}

/** What is kept by a name; nothing where it cannot be read. */
export function readStored(name: StorageName): StoredFields {
  try {
    const fields: unknown = JSON.parse(here[name] ?? localStorage.getItem(keyOf(name)) ?? "{}");
    return isFields(fields) ? fields : {};
  } catch {
    return {};
  }
}

export function writeStored(name: StorageName, fields: object): void {
  const text = JSON.stringify(fields);
  try {
    localStorage.setItem(keyOf(name), text);
    Reflect.deleteProperty(here, name); // what could not be kept before
  } catch {
    here[name] = text;
  }
}

/** Keep nothing of the person any more. */
export function dropPersonal(): void {
  PERSONAL.forEach(drop);
}

function drop(name: StorageName): void {
  Reflect.deleteProperty(here, name);
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // then nothing was kept there
  }
}

/** The fields that are texts. */
export function textsIn(fields: unknown): Record<string, string> {
  if (!isFields(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}
