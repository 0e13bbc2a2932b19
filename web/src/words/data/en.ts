import words from "@catalogues/en.toml";
import texts from "./en.toml";

export { texts, words };
