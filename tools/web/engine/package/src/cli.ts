#!/usr/bin/env node
/** The engine as a program for Node, with the lines of the native one on its standard streams. */

import { createInterface } from "node:readline";

import { Engine } from "./index.js";

const engine = await Engine.create();
engine.onmessage = ({ data }) => process.stdout.write(`${data}\n`);
engine.onerror = (error) => {
  process.stderr.write(`plumb-engine: ${error.message}\n`);
  process.exitCode = 1;
};
const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
engine.onend = () => input.close();
input.on("line", (line) => engine.postMessage(line));
input.on("close", () => engine.postMessage("quit"));
