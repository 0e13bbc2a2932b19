import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** @type {Map<string, string>} */
const owners = new Map();

/** The class that keeps the styles of a component its own: random letters do not compress, so there are few of them. */
function cssHash({ hash, filename }) {
  const name = `s-${hash(filename).slice(0, 4)}`;
  const owner = owners.get(name) ?? filename;
  if (owner !== filename) throw new Error(`${owner} and ${filename} have the same class ${name}: take more letters`);
  owners.set(name, owner);
  return name;
}

export default { preprocess: vitePreprocess(), compilerOptions: { cssHash } };
