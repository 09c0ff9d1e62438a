import { expect, it, vi } from "vitest";
import type { Info } from "../src/engine/info";
import type { Job } from "../src/engine/session";
import { Board } from "../src/game/board";
import { emptyLine } from "../src/game/position";
import { exactly, type Score } from "../src/game/score";
import { study } from "../src/state/study.svelte";

const jobs = vi.hoisted(() => [] as Job[]);
vi.mock("../src/state/engine.svelte", () => ({
  engine: {
    hash: 64,
    run(job: Job) {
      jobs.push(job);
      return { answer: new Promise(() => undefined), stop: () => undefined };
    },
  },
}));
vi.stubGlobal("requestAnimationFrame", (draw: () => void) => draw());

/** The last job reports a column. */
function tell(column: number, score: Score): void {
  const info: Info = { depth: 5, nodes: 100, nodesPerSecond: 10, milliseconds: 10, score, line: [column] };
  jobs.at(-1)?.onInfo?.(info);
}

const estimate = (estimate: number): Score => ({ lower: -1000, upper: 1000, estimate });

it("an exact score of the curve outlasts the first lines of a new search", () => {
  study.setActive(true);
  study.open({ ...emptyLine(Board.STANDARD), moves: [3] }, 1);
  for (let column = 0; column < 7; column++) tell(column, exactly(column - 7));
  study.go(0);
  study.go(1);
  tell(0, estimate(20));
  expect(study.columns[0]?.score.estimate).toBe(20);
  expect(study.scoreOf(study.position)).toMatchObject({ lower: -1, upper: -1 });
});

it("what was found stays when the engine is switched off and on, and when the view is left", () => {
  study.setActive(true);
  study.open(emptyLine(Board.STANDARD), 0);
  tell(3, estimate(40));
  for (const change of [() => study.setOn(false), () => study.setOn(true), () => study.setActive(false)]) {
    change();
    expect(study.columns[3]?.score.estimate).toBe(40);
    expect(study.figures.depth).toBe(5);
  }
  expect(study.state).toBe("idle");
  study.setActive(true);
  expect(study.state).toBe("searching");
  study.play(3);
  expect(study.columns[3]?.score.estimate).toBeNull();
  expect(study.figures.depth).toBe(0);
});
