import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { ready } from "./lib/i18n.svelte";

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no place for the client");
await ready; // the words come before the page
export default mount(App, { target: place });
