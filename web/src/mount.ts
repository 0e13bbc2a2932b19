import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/app.css";

export function begin(place: Element): void {
  mount(App, { target: place });
}
