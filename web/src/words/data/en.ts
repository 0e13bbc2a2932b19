import words from "@catalogues/en.toml";
import vocabulary from "../../generated/vocabulary.json";
import texts from "./en.toml";

export { texts, vocabulary, words };
