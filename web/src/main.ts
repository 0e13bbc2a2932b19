// The first of all files, and small: it knows what this visit needs, and asks for all of it at once.

import { pageAt } from "./app/navigation/pageAddress";
import { preferredLanguage, loadWords } from "./words/languages";
import { pages } from "./pages";

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no place for the client");
void loadWords(preferredLanguage()).catch(() => undefined); // asked for again where they are needed
const page = pages[pageAt(location.pathname).name]().catch(() => undefined); // and this too
try {
  const { mountApp } = await import("./mount");
  await page;
  mountApp(place);
} catch {
  // The words did not come either, so this is all there is to say it with.
  const again = document.createElement("button");
  again.textContent = "Try again / Noch einmal";
  again.onclick = () => location.reload();
  place.append("The page could not be loaded whole. / Die Seite konnte nicht ganz geladen werden. ", again);
}
