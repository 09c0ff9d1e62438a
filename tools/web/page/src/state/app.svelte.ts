/** State of all views: current view, look, message of the last fault. */

import { letterOf } from "../game/board";
import { InputError } from "../game/fault";
import type { View } from "../game/link";
import { type Position } from "../game/position";
import { load, save } from "./storage";

export type Theme = "system" | "light" | "dark";
export type Notation = "letters" | "digits";

class App {
  view = $state<View>("play");
  /** Number of links followed. Each view then writes its game into the address again. */
  followed = $state(0);
  theme = $state<Theme>(themeOf(load("theme")));
  hasSound = $state(load("sound") === "on");
  notation = $state<Notation>(load("notation") === "digits" ? "digits" : "letters");
  isHelpOpen = $state(false);
  fault = $state<string | null>(null);
  news = $state("");
  /** Made once, because each query adds a handler. */
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

  moveName(position: Position, column: number): string {
    return this.notation === "letters" ? position.board.cellName(position.landing(column)) : String(column + 1);
  }

  setSound(isOn: boolean): void {
    this.hasSound = isOn;
    save("sound", isOn ? "on" : "off");
  }

  /** Runs `action`, and shows the message of a fault. Returns whether it succeeded. */
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
