// Which page an address means: by its path.

export type Page =
  | { name: "start" }
  | { name: "new" }
  | { name: "table"; id: string }
  | { name: "replay"; id: string }
  | { name: "rules"; path: string }
  | { name: "ratings" }
  | { name: "me" }
  | { name: "missing" };

/** A part of a path as it was meant; as it is if nobody can have meant it. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function pageAt(path: string, search = ""): Page {
  const [first = "", id = "", more] = path.split("/").filter(Boolean).map(plain);
  if (first === "") return { name: "start" };
  if (first === "new" && !id) return { name: "new" };
  if (first === "ratings" && !id) return { name: "ratings" };
  if (first === "me" && !id) return { name: "me" };
  if (first === "t" && id) return { name: "table", id };
  if (first === "replay" && id) return { name: "replay", id };
  if (first === "rules" && !more) return { name: "rules", path: path + search };
  return { name: "missing" };
}
