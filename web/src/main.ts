// The first of all files, and small: it knows what this visit needs, and asks for all of it at once.

import { pageAt } from "./app/navigation/pageAddress";
import { preferredLanguage } from "./app/storage/language";
import { loadWords } from "./words/languages";
import { pages } from "./pages/pages";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the client");
void start(root);

async function start(place: HTMLElement): Promise<void> {
  try {
    const language = loadWords(preferredLanguage()).catch(() => loadWords("en"));
    const page = pages[pageAt(location.pathname).name]().catch(() => undefined); // asked for again where it is shown
    const { mountApp } = await import("./mount");
    await page;
    mountApp(place, await language);
  } catch {
    // The words did not come either, so this is all there is to say it with.
    const again = document.createElement("button");
    again.textContent = "Try again / Noch einmal";
    again.onclick = () => location.reload();
    place.append("The page could not be loaded whole. / Die Seite konnte nicht ganz geladen werden. ", again);
  }
}
