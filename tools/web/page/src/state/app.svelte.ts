/** What all views share: which one is shown, how the page looks, and the one sentence about the last fault. */

import type { View } from "../game/link";
import { InputError } from "../game/fault";
import { load, save } from "./storage";

export type Theme = "system" | "light" | "dark";

class App {
  view = $state<View>("play");
  /** Number of links followed. Each view writes its game into the address again, as a link may have had none. */
  followed = $state(0);
  theme = $state<Theme>(themeOf(load("theme")));
  hasSound = $state(load("sound") === "on");
  isHelpOpen = $state(false);
  /** One sentence that names what is wrong; nothing if all is well. */
  fault = $state<string | null>(null);
  /** The last thing that happened, for screen readers. */
  news = $state("");
  /** The media query of the colours, made once: a new query at each change of the colours would add a handler each time. */
  readonly #system = matchMedia("(prefers-color-scheme: dark)");

  setTheme(theme: Theme): void {
    this.theme = theme;
    save("theme", theme);
    this.showTheme();
  }

  showTheme(): void {
    this.#system.onchange = () => this.showTheme();
    const theme = this.theme === "system" ? (this.#system.matches ? "dark" : "light") : this.theme;
    document.documentElement.dataset.theme = theme;
  }

  setSound(isOn: boolean): void {
    this.hasSound = isOn;
    save("sound", isOn ? "on" : "off");
  }

  /** Does something with input from outside. If that is at fault, says so in one sentence. Returns whether it went well. */
  attempt(action: () => void): boolean {
    try {
      action();
      this.fault = null;
      return true;
    } catch (error) {
      this.report(error);
      return false;
    }
  }

  report(error: unknown): void {
    if (error instanceof InputError) this.fault = error.message;
    else throw error;
  }
}

function themeOf(text: string | null): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

export const app = new App();
