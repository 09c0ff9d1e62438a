/** The npm package in a new Next.js project: client component and server route. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";

const PACKAGE = join(import.meta.dirname, "..", "engine", "package");
const project = join(tmpdir(), `plumb-next-${process.pid}`);
const options = { cwd: project, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } };
const next = join(project, "node_modules", "next", "dist", "bin", "next");

// Installing and building take one or two minutes.
test.setTimeout(600_000);

test.beforeAll(() => {
  test.setTimeout(600_000);
  cpSync(join(import.meta.dirname, "next"), project, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", project], { cwd: PACKAGE, encoding: "utf8" }),
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `./${packed.filename}`], options);
});

// A process of an ended server may still write.
test.afterAll(() => rmSync(project, { recursive: true, force: true, maxRetries: 10 }));

async function start(...words: string[]): Promise<[ChildProcess, string]> {
  const server = spawn(process.execPath, [next, ...words, "--port", "0"], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /Local: +(\S+)/.exec(line)?.[1];
    if (address !== undefined) return [server, address];
  }
  throw new Error("the server has ended");
}

// Two of four combinations save half of the time.
for (const bundler of ["turbopack", "webpack"]) {
  test(`a page and a server route with ${bundler}`, async ({ page }) => {
    const isBuilt = bundler === "turbopack";
    if (isBuilt) execFileSync(process.execPath, [next, "build", "--turbopack"], options);
    const [server, address] = isBuilt ? await start("start") : await start("dev", "--webpack");
    try {
      expect(await (await fetch(`${address}/api/best`)).text()).toContain("bestmove P@d1");
      await page.goto(address);
      await expect(page.locator("#answer")).toContainText("bestmove P@d1", { timeout: 120_000 });
    } finally {
      if (server.kill()) await once(server, "exit");
    }
  });
}
