/** What all views share: which one is shown, how the page looks, and the one sentence about the last fault. */

import { letterOf } from "../game/board";
import { InputError } from "../game/fault";
import type { View } from "../game/link";
import { type Position } from "../game/position";
import { load, save } from "./storage";

export type Theme = "system" | "light" | "dark";
export type Notation = "letters" | "digits";

class App {
  view = $state<View>("play");
  /** Number of links followed. Each view writes its game into the address again, as a link may have had none. */
  followed = $state(0);
  theme = $state<Theme>(themeOf(load("theme")));
  hasSound = $state(load("sound") === "on");
  /** How the page names columns. */
  notation = $state<Notation>(load("notation") === "digits" ? "digits" : "letters");
  isHelpOpen = $state(false);
  /** One sentence that names what is wrong; nothing if all is well. */
  fault = $state<string | null>(null);
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

  setNotation(notation: Notation): void {
    this.notation = notation;
    save("notation", notation);
  }

  columnName(column: number): string {
    return this.notation === "letters" ? letterOf(column) : String(column + 1);
  }

  /** `d1`, or the number of the column. */
  moveName(position: Position, column: number): string {
    return this.notation === "letters" ? position.board.cellName(position.landing(column)) : String(column + 1);
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
