import words from "@words/en.toml";
import texts from "./en.toml";

export { texts, words };
