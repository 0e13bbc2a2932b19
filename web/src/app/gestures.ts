/** Milliseconds after which a press asks for words, and means nothing else. */
export const LONG_PRESS = 450;
