// What only tables with a real board need; it comes when one is opened.

export { default as TakeBack } from "./TakeBackButton.svelte";
export { default as Telling } from "./ChanceEntry.svelte";
