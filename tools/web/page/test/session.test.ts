import { describe, expect, it } from "vitest";
import { Board } from "../src/game/board";
import { EngineSession, type Job } from "../src/engine/session";

/** A scripted engine that records its input. */
class FakeEngine {
  readonly lines: string[] = [];
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onerror: ((error: Error) => void) | null = null;
  isTerminated = false;

  postMessage(line: string): void {
    this.lines.push(line);
  }

  say(line: string): void {
    this.onmessage?.({ data: line });
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

const job = (position: string, changes: Partial<Job> = {}): Job => ({
  board: Board.STANDARD,
  options: { MultiPV: 7 },
  position,
  stones: 0,
  go: "go infinite",
  ...changes,
});

function start() {
  const engine = new FakeEngine();
  const next = new FakeEngine();
  const session = new EngineSession(
    engine,
    () => Promise.resolve(next),
    () => undefined,
  );
  return { engine, next, session };
}

describe("a session", () => {
  it("runs one job after the other and sends options once", async () => {
    const { engine, session } = start();
    const first = session.start(job("position 4"));
    const second = session.start(job("position 44"));
    expect(engine.lines).toEqual(["setoption name MultiPV value 7", "position 4", "go infinite"]);
    engine.say("bestmove P@d2");
    expect(await first.answer).toEqual({ column: 3, complaint: null });
    expect(engine.lines.slice(3)).toEqual(["position 44", "go infinite"]);
    engine.say("info string what is wrong");
    engine.say("bestmove (none)");
    expect(await second.answer).toEqual({ column: null, complaint: "what is wrong" });
  });

  it("does not report lines of a job that was stopped", async () => {
    const { engine, session } = start();
    let count = 0;
    const handle = session.start(job("position 4", { onInfo: () => (count += 1) }));
    engine.say("info depth 1 score cp 1 nodes 1 time 1 pv P@d2");
    handle.stop();
    engine.say("info depth 2 score cp 1 nodes 1 time 1 pv P@d2");
    engine.say("bestmove P@d2");
    expect(await handle.answer).toEqual({ column: null, complaint: null });
    expect(count).toBe(1);
    expect(engine.lines.at(-1)).toBe("stop");
  });

  it("leaves out a job that was stopped before its turn", async () => {
    const { engine, session } = start();
    session.start(job("position 4"));
    const handle = session.start(job("position 44"));
    handle.stop();
    expect(await handle.answer).toEqual({ column: null, complaint: null });
    engine.say("bestmove P@d2");
    expect(engine.lines).not.toContain("position 44");
  });

  it("replaces an engine that does not obey a stop", async () => {
    const { engine, next, session } = start();
    const first = session.start(job("position 4"));
    first.stop();
    const second = session.start(job("position 44"));
    expect(await first.answer).toEqual({ column: null, complaint: null });
    expect(engine.isTerminated).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(next.lines).toEqual(["setoption name MultiPV value 7", "position 44", "go infinite"]);
    next.say("bestmove P@a1");
    expect((await second.answer).column).toBe(0);
  });

  it("names the board before all else, once", async () => {
    const { engine, session } = start();
    const board = Board.of(9, 7);
    const first = session.start(job("position startpos", { board, options: { MultiPV: 9 } }));
    session.start(job("position startpos moves i", { board, options: { MultiPV: 9 } }));
    session.start(job("position startpos", { options: { MultiPV: 9 } }));
    const size = (name: string) => `setoption name Board value ${name}`;
    expect(engine.lines).toEqual([size("9x7"), "setoption name MultiPV value 9", "position startpos", "go infinite"]);
    engine.say("bestmove P@i1");
    expect((await first.answer).column).toBe(8);
    expect(engine.lines.slice(4)).toEqual(["position startpos moves i", "go infinite"]);
    engine.say("bestmove P@i2");
    expect(engine.lines.slice(6)).toEqual([size("7x6"), "position startpos", "go infinite"]);
  });

  it("takes another engine between two jobs", async () => {
    const { engine, session } = start();
    const other = new FakeEngine();
    const first = session.start(job("position 4"));
    session.replace(other);
    expect(engine.isTerminated).toBe(false);
    engine.say("bestmove P@d2");
    await first.answer;
    session.start(job("position 44"));
    expect(engine.isTerminated).toBe(true);
    expect(other.lines).toContain("position 44");
  });
});
