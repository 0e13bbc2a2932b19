// What only tables with a real board need; it comes when one is opened.

export { default as TakeBackButton } from "./TakeBackButton.svelte";
export { awaitedText, questionFor } from "./chance";
export { default as ChanceEntry } from "./ChanceEntry.svelte";
