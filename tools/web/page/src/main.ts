import { mount } from "svelte";
import { loadReader } from "./engine/connection";
import { engine } from "./state/engine.svelte";
import App from "./ui/App.svelte";
import "./ui/style.css";

engine.open().catch(() => undefined);
await loadReader();

const target = document.getElementById("app");
if (target !== null) mount(App, { target });
