import { mount } from "svelte";
import App from "./App.svelte";
import { AppContext } from "./app/appContext";
import "./styles/app.css";
import { I18n } from "./words/i18n.svelte";
import type { LanguageFile } from "./words/languages";

export function mountApp(target: Element, language: LanguageFile): void {
  mount(App, { target, props: { app: new AppContext(new I18n(language)) } });
}
