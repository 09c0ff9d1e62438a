import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
// @ts-expect-error A script without types.
import { serve } from "./server.mjs";

const PACKAGE = join(import.meta.dirname, "..", "engine", "package", "dist");
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The used part of the package, imported from the server. */
interface Engine {
  readonly isIsolated: boolean;
  readonly isStoppable: boolean;
  postMessage(line: string): void;
  send(line: string, last: string): Promise<string[]>;
  terminate(): void;
}

for (const isIsolated of [true, false]) {
  const server = serve(0, { root: PACKAGE, headers: isIsolated ? ISOLATED : {} });

  test.describe(isIsolated ? "the engine in an isolated page" : "the engine in an ordinary page", () => {
    test.beforeEach(async ({ page }) => {
      mkdirSync(PACKAGE, { recursive: true });
      writeFileSync(join(PACKAGE, "empty.html"), "<!doctype html><title>engine</title>");
      await page.goto(`${(await server).address}/empty.html`);
    });
    test.afterAll(async () => (await server).server.close());

    test("the benchmark visits the nodes that it visits everywhere", async ({ page }) => {
      const lines = await page.evaluate(async () => {
        const { Engine } = await import(`${location.origin}/index.js`);
        const engine: Engine = await Engine.create({ book: false });
        const lines = await engine.send("bench", "Nodes/second");
        engine.terminate();
        return lines;
      });
      const source = readFileSync(join(import.meta.dirname, "../../../tests/it/dialogue/command_line.rs"), "utf8");
      expect(lines).toContain(/Nodes searched {2}: \d+/.exec(source)?.[0]);
    });

    test("a search without end is stopped, time after time", async ({ page }) => {
      const answers = await page.evaluate(async () => {
        const { Engine } = await import(`${location.origin}/index.js`);
        const engine: Engine = await Engine.create({ book: false });
        const answers: string[] = [String(engine.isIsolated), String(engine.isStoppable)];
        for (let number = 0; number < 10; number++) {
          engine.postMessage("ucinewgame");
          const answer = engine.send("go infinite", "bestmove");
          answers.push(...(await engine.send("isready", "readyok")).slice(-1));
          await new Promise((resolve) => setTimeout(resolve, 20 * number));
          engine.postMessage("stop");
          answers.push((await answer).at(-1)?.split(" ")[0] ?? "");
        }
        // Another job also stops an endless job.
        const first = engine.send("go infinite", "bestmove");
        engine.postMessage("go nodes 1000");
        await first;
        await engine.send("isready", "readyok");
        engine.terminate();
        return answers;
      });
      const rounds = Array.from({ length: 10 }, () => ["readyok", "bestmove"]).flat();
      expect(answers).toEqual([String(isIsolated), "true", ...rounds]);
    });
  });
}
