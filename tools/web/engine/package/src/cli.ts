#!/usr/bin/env node
/** The engine as a program on the standard streams of Node. */

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { Engine } from "./node.js";

const HELP = `A Connect Four engine and exact solver: lines of UCI on standard input, answers on standard output.

Usage: plumb-engine [--help | --version]

Lines to begin with: position 4455, go movetime 300, setoption name MultiPV value 7, uci, quit.
`;

// A closed output, as after `| head`, ends the program without an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const [argument] = process.argv.slice(2);
if (argument === "--help" || argument === "-h") {
  process.stdout.write(HELP);
} else if (argument === "--version" || argument === "-V") {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`plumb-engine ${version}\n`);
} else if (argument !== undefined) {
  process.stderr.write(`plumb-engine: \`${argument}\`: no such argument; see \`--help\`\n`);
  process.exitCode = 2;
} else {
  await run();
}

async function run(): Promise<void> {
  const engine = await Engine.create();
  engine.onmessage = ({ data }) => process.stdout.write(`${data}\n`);
  engine.onerror = (error) => {
    process.stderr.write(`plumb-engine: ${error.message}\n`);
    process.exitCode = 1;
    // Otherwise the program waits for more lines.
    input.close();
  };
  const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const post = (line: string): void => {
    if (!engine.isEnded) engine.postMessage(line);
  };
  engine.onend = () => input.close();
  input.on("line", post);
  input.on("close", () => post("quit"));
}
