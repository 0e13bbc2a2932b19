/** A .toml file, imported as data. */
declare module "*.toml" {
  const data: Record<string, unknown>;
  export default data;
}

/** What a language says of a game, shared with the host: tests hold its files to this shape. */
declare module "@catalogues/*.toml" {
  const catalogue: import("./words/catalogue").Catalogue;
  export default catalogue;
}
