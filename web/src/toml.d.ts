/** A .toml file, imported as data. */
declare module "*.toml" {
  const data: Record<string, unknown>;
  export default data;
}
