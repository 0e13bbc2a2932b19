import words from "@words/de.toml";
import texts from "./de.toml";

export { texts, words };
