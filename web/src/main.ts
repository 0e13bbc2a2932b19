// The first of all files, and small: it knows what this visit needs, and asks for all of it at once.

import { read } from "./lib/address";
import { preferred, words } from "./lib/languages";
import { pages } from "./pages";

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no place for the client");
void words(preferred()).catch(() => undefined); // asked for again where they are needed
const page = pages[read(location.pathname).name]().catch(() => undefined); // and this too
const { begin } = await import("./begin");
await page;
begin(place);
