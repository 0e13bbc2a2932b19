// Made from the Python lists by python -m tools.generated --write.
import type { ActionKind, CardKind, Color, GainedCards, LostCards, Pace, Resource, Wishes } from "./protocol";

/** The version of the protocol that is spoken here. */
export const PROTOCOL = 1;
export const RESOURCES = ["brick","lumber","wool","grain","ore"] as const satisfies readonly (Resource)[];
export const CARD_KINDS = ["knight","victory-point","road-building","year-of-plenty","monopoly"] as const satisfies readonly (CardKind)[];
export const GAINED = ["start","production","stolen","players","supply","year-of-plenty","monopoly"] as const satisfies readonly (keyof GainedCards)[];
export const LOST = ["spent","discarded","stolen","monopoly","players","supply"] as const satisfies readonly (keyof LostCards)[];
export const COLORS = ["red","blue","white","orange","black","green"] as const satisfies readonly (Color)[];
export const PACES = ["fast","normal","slow"] as const satisfies readonly (Pace["pace"])[];
export const WISHES = ["pause","end"] as const satisfies readonly (keyof Wishes)[];
export const LANGUAGES = ["en","de"] as const satisfies readonly (string)[];
/** The edition one plays if nothing is said, as on the command line. */
export const DEFAULT_EDITION = "sixth";
/** How each kind of action is written. */
export const ACTION_EXAMPLES: Readonly<Record<ActionKind, string>> = {"roll":"roll","road":"road C3/ne","settlement":"settlement C3n","city":"city C3n","buy":"buy","knight":"knight","road-building":"road-building","year-of-plenty":"year-of-plenty ore wool","monopoly":"monopoly grain","supply":"supply 4 wool : 1 ore","offer":"offer 1 wool : 1 ore to blue white","counter":"counter #2 1 brick : 1 ore","accept":"accept #2","reject":"reject #2","confirm":"confirm #2 blue","withdraw":"withdraw #2","discard":"discard 2 wool 1 ore","robber":"robber B2","steal":"steal blue","waive":"waive","end":"end"};
