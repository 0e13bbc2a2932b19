// For tests: the page in English.

import words from "@catalogues/en.toml";
import vocabulary from "../generated/vocabulary.json";
import texts from "../words/data/en.toml";
import later from "../words/data/later/en.toml";
import setup from "../words/data/setup/en.toml";
import { Speech, type Subject } from "../game/speech/speech.svelte";
import { I18n } from "../words/i18n.svelte";

export const newI18n = (): I18n => new I18n({ code: "en", texts, words, vocabulary, later: { later, setup } });

export const speechOf = (subject: Subject): Speech => new Speech(newI18n(), subject);
