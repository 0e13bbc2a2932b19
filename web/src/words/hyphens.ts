// Where long German words may be parted. Browsers know that only if they have a dictionary, which many lack.

/** After an ending that only stands between the parts of a word: Entwicklungs|karte. */
const SEAM = /(\p{L}(?:ungs|heits|keits|schafts|ions))(?=\p{L}{3,})/gu;
/** Before the last syllable of such a part, where two consonants meet: Entwick|lungs. */
const SYLLABLE = /(\p{L}{2}[^aeiouäöü\P{L}])(?=[ln]ungs?)/giu;
const SOFT = "\u00ad";

/** A text with soft hyphens in its long words: they are seen only where a line ends. */
export function addSoftHyphens(text: string): string {
  return text.replace(SEAM, `$1${SOFT}`).replace(SYLLABLE, `$1${SOFT}`);
}
