import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/app.css";

export function mountApp(place: Element): void {
  mount(App, { target: place });
}
