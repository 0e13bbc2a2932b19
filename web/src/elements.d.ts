/** What attributes of the markup may say. */
import type { AnchorName, PartName } from "./app/pageParts";

declare module "svelte/elements" {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the same parameter as in Svelte's own declaration
  interface HTMLAttributes<T extends EventTarget> {
    "data-part"?: PartName | undefined;
    "data-anchor"?: AnchorName | undefined;
  }
}
