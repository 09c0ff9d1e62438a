import { mount } from "svelte";
import App from "./ui/App.svelte";
import { engine } from "./state/engine.svelte";
import "./ui/style.css";

// Its worker starts while the page is drawn.
engine.open().catch(() => undefined);

const target = document.getElementById("app");
if (target !== null) mount(App, { target });
