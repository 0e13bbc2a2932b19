// Parts of the page that others look for: each has its name as `data-part`.

/** The first part of this name, seen or not. */
export function findPart(name: string): HTMLElement | null {
  return document.querySelector(`[data-part="${name}"]`);
}

/** Put the focus on the first thing in a part that can be used; on the part itself if it is a button. */
export function focusPart(name: string): void {
  const able = ":is(button, input):not(:disabled, [aria-disabled=true])";
  document.querySelector<HTMLElement>(`[data-part="${name}"]${able}, [data-part="${name}"] ${able}`)?.focus();
}
