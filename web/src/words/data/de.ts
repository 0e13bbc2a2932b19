import words from "@catalogues/de.toml";
import texts from "./de.toml";

export { texts, words };
