/** The built package in Node, with real workers. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { build } from "esbuild";
import { Engine } from "plumb-engine";
import typescript from "typescript";

import { COMMANDS, commandOf, FIRST_COMMANDS } from "../dist/command.js";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

async function withEngine(options, run) {
  const engine = await Engine.create(options);
  try {
    await run(engine);
  } finally {
    engine.terminate();
  }
}

test("the benchmark visits the nodes that it visits everywhere", () =>
  withEngine({ book: false }, async (engine) => {
    const lines = await engine.send("bench", "Nodes/second");
    const source = await readFile(new URL("../../../../../tests/it/dialogue/command_line.rs", import.meta.url), "utf8");
    const expected = /Nodes searched {2}: \d+/.exec(source)?.[0];
    assert.ok(lines.includes(expected), lines.join("\n"));
  }));

test("the book answers at once", () =>
  withEngine({}, async (engine) => {
    const lines = await engine.send("go depth 42", "bestmove");
    assert.match(lines.at(-1), /^bestmove P@d1/);
    assert.ok(lines.some((line) => /tbhits [1-9]/.test(line)), lines.join("\n"));
  }));

test("an infinite search ends with a stop, and lines after it are answered", () =>
  withEngine({ book: false }, async (engine) => {
    const stopped = engine.send("go infinite", "bestmove");
    assert.deepEqual(await engine.send("isready", "readyok"), ["readyok"]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    engine.postMessage("stop");
    await stopped;
    assert.match((await engine.send("query fen", "response")).at(-1), /^response 7\/7\/7/);
  }));

test("the commands are those of the protocol, which skips words before them", async () => {
  const source = await readFile(new URL("../../../../../protocol/src/command.rs", import.meta.url), "utf8");
  const [, words, , first, others] = /static WORDS([^]*?)\n\];([^]*?)fn first_command([^]*?)\n}([^]*?)\n}/.exec(source);
  const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
  const keyword = /keyword\("(\w+)"\)/g;
  assert.deepEqual([...COMMANDS].sort(), [...names(words, /\("(\w+)",/g), ...names(others, keyword)].sort());
  assert.deepEqual([...FIRST_COMMANDS].sort(), names(first, keyword));
  const lines = {
    "go infinite": ["go", "infinite"],
    "\t joho  go infinite\r": ["go", "infinite"],
    "infinite go depth 1": ["go", "depth", "1"],
    " moves go": ["moves", "go"],
    "positoin moves d stop": ["stop"],
    "GO infinite": [],
    "joho\u00a0go": [],
    "": [],
  };
  for (const [line, command] of Object.entries(lines)) assert.deepEqual(commandOf(line), command, line);
});

test("a search and a quit behind unknown words", { timeout: 20000 }, async () => {
  const engine = await Engine.create({ book: false });
  try {
    const ended = new Promise((resolve) => (engine.onend = resolve));
    const stopped = engine.send("joho go infinite", "bestmove");
    assert.deepEqual(await engine.send("please isready", "readyok"), ["readyok"]);
    engine.postMessage("please stop");
    await stopped;
    engine.postMessage("please quit");
    assert.ok(engine.isEnded);
    await ended;
  } finally {
    engine.terminate();
  }
});

test("a stop that comes too late stops nothing else", () =>
  withEngine({ book: false }, async (engine) => {
    await engine.send("go nodes 1000", "bestmove");
    engine.postMessage("stop");
    const lines = await engine.send("go nodes 50000", "bestmove");
    assert.ok(lines.some((line) => / nodes [1-9]\d{4} /.test(line)), lines.join("\n"));
  }));

test("lines after `wait` wait for all answers, unless a search has no end", () => {
  const answer = (...lines) => {
    const input = ["setoption name OwnBook value false", ...lines].join("\n");
    return spawnSync(process.execPath, [cli], { encoding: "utf8", input }).stdout;
  };
  for (const lines of [["quit"], [], ["stop", "isready", "quit"]])
    assert.match(answer("go nodes 50000", "go nodes 40000", "wait", ...lines), / nodes 5\d{4} [^]* nodes 4\d{4} /);
  assert.match(answer("go infinite", "wait", "quit"), /bestmove/);
});

test("a solved infinite search waits for its stop", () =>
  withEngine({ book: false }, async (engine) => {
    let answers = 0;
    engine.onmessage = ({ data }) => {
      answers += Number(data.startsWith("bestmove"));
    };
    engine.postMessage("position 112233");
    await engine.send("go infinite", "info depth 1");
    await engine.send("isready", "readyok");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(answers, 0);
    await engine.send("stop", "bestmove");
    assert.equal(answers, 1);
  }));

test("a solved infinite search answers before the next one, which can be stopped", { timeout: 60000 }, () =>
  withEngine({ book: false }, async (engine) => {
    engine.postMessage("position 112233");
    await engine.send("go infinite", "info depth 1");
    await engine.send("query fen", "response");
    engine.postMessage("setoption name Board value 10x10");
    const first = await engine.send("go infinite", "bestmove");
    assert.match(first.at(-1), /^bestmove P@d/);
    await engine.send("stop", "bestmove");
  }));

test("a stop right after an answer is for the search that comes next", () =>
  withEngine({ book: false }, async (engine) => {
    let answers = 0;
    const second = new Promise((resolve, reject) => {
      engine.onmessage = ({ data }) => {
        if (!data.startsWith("bestmove")) return;
        answers += 1;
        if (answers === 2) resolve();
        else for (const line of ["position startpos moves d", "go infinite", "stop"]) engine.postMessage(line);
      };
      setTimeout(reject, 5000, new Error("the search was not stopped"));
    });
    engine.postMessage("go nodes 100");
    await second;
  }));

test("a search that is stopped before its turn does not stop the one at work", () =>
  withEngine({ book: false }, async (engine) => {
    const first = engine.send("go nodes 50000", "bestmove");
    for (const line of ["go infinite", "go depth 3"]) engine.postMessage(line);
    const lines = await first;
    assert.ok(lines.some((line) => / nodes [1-9]\d{4} /.test(line)), lines.join("\n"));
    await engine.send("query fen", "response");
  }));

test("quit ends the engine after all answers", async () => {
  const engine = await Engine.create({ book: false });
  const ended = new Promise((resolve) => {
    engine.onend = resolve;
  });
  const answered = engine.send("go infinite", "bestmove");
  engine.postMessage("quit");
  await Promise.all([answered, ended]);
});

test("files that are not what they should be are refused in a sentence", async () => {
  await assert.rejects(Engine.create({ book: new Uint8Array(100) }), /^Error: the book: /);
  // Made by `plumb-lab book build --board 5x4 --plies 1`.
  const smaller = "706c756d626f6f6b03000504010000003a000000000000000101000103000000000000000a00000000010000c00000000000e1c2b50d763298e8";
  await assert.rejects(
    Engine.create({ book: new Uint8Array(Buffer.from(smaller, "hex")) }),
    /^Error: the book: it is for 5x4; expected a book for 7x6/,
  );
  await assert.rejects(Engine.create({ wasm: new Uint8Array(100), book: false }), /WebAssembly/i);
  await assert.rejects(Engine.create({ wasm: "./missing.wasm", book: false }), /missing\.wasm/);
});

test("a table that is too large is refused and the old one stays", () =>
  withEngine({ book: false }, async (engine) => {
    await engine.send("isready", "readyok");
    const lines = await engine.send("setoption name Hash value 100000", "info");
    assert.match(lines.at(-1), /^info string .*`100000`.*from 1 to 2045/);
    await engine.send("go nodes 1000", "bestmove");
  }));

/** A thread as a worker of a page. It fails at the line `crash`. */
class FailingWorker {
  constructor() {
    const engine = new URL("../dist/node_worker.mjs", import.meta.url).href;
    const source = `import("${engine}").then(() => require("node:worker_threads").parentPort.on("message", (message) => {
      if (message.line === "crash") throw new Error("out of luck");
    }));`;
    this.thread = new Worker(source, { eval: true });
  }
  postMessage(message) {
    this.thread.postMessage(message);
  }
  terminate() {
    return this.thread.terminate();
  }
  addEventListener(type, listener) {
    this.thread.on(type, (value) => listener(type === "message" ? { data: value } : value));
  }
}

test("an engine that has ended says so", async () => {
  const endings = {
    "it was terminated": (engine) => engine.terminate(),
    "it has had `quit`": (engine) => engine.postMessage("quit"),
    "the engine has failed: the worker: out of luck": (engine) => engine.postMessage("crash"),
  };
  for (const [reason, end] of Object.entries(endings)) {
    const engine = await Engine.create({ book: false, worker: () => new FailingWorker() });
    const waiting = assert.rejects(engine.send("isready", "never"), Error, reason);
    end(engine);
    await waiting;
    assert.ok(engine.isEnded);
    const says = (error) => error.message.includes(reason);
    await assert.rejects(engine.send("isready", "readyok"), says);
    assert.throws(() => engine.postMessage("isready"), says);
  }
});

test("nothing comes after `terminate`, as the messages under way do from a worker", async () => {
  let send;
  const worker = {
    postMessage: ({ type }) => type === "book" && send({ data: { type: "started", isStoppable: true } }),
    terminate: () => undefined,
    addEventListener: (type, listener) => type === "message" && (send = listener),
  };
  const engine = await Engine.create({ book: false, worker: () => worker });
  const events = [];
  engine.onmessage = ({ data }) => events.push(data);
  engine.onend = () => events.push("end");
  engine.onerror = () => events.push("error");
  engine.postMessage("quit");
  send({ data: { type: "line", line: "in time" } });
  engine.terminate();
  send({ data: { type: "line", line: "late" } });
  send({ data: { type: "done", number: 1, goesOn: false } });
  send({ data: { type: "failed", message: "late" } });
  assert.deepEqual(events, ["in time"]);
});

test("a name of a file is relative to the current directory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plumb-"));
  const before = process.cwd();
  try {
    process.chdir(folder);
    await writeFile("page.html", "<!DOCTYPE html>");
    await assert.rejects(Engine.create({ wasm: "page.html", book: false }), /page\.html: no module of WebAssembly/);
    await copyFile(new URL("../dist/plumb.book", import.meta.url), "own.book");
    await withEngine({ book: "own.book" }, (engine) => engine.send("go depth 42", "bestmove"));
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
});

test("a bundle of esbuild for Node needs three files next to it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plumb-"));
  const contents = `import { Engine } from "plumb-engine";
    Engine.create().then(async (engine) => {
      console.log((await engine.send("go depth 42", "bestmove")).at(-1));
      engine.terminate();
    });`;
  try {
    for (const name of ["node_worker.mjs", "plumb.wasm", "plumb.book"])
      await copyFile(new URL(`../dist/${name}`, import.meta.url), join(folder, name));
    for (const [format, name] of [["esm", "bundle.mjs"], ["cjs", "bundle.cjs"]]) {
      const stdin = { contents, resolveDir: import.meta.dirname };
      const outfile = join(folder, name);
      await build({ stdin, outfile, format, bundle: true, platform: "node", logLevel: "error" });
      const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8" });
      assert.match(stdout, /^bestmove P@d1/, stderr);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the types are found by each resolution of modules", () => {
  const { ModuleKind, ModuleResolutionKind, resolveModuleName, sys } = typescript;
  for (const [module, moduleResolution] of [
    [ModuleKind.ESNext, ModuleResolutionKind.Bundler],
    [ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
    [ModuleKind.CommonJS, ModuleResolutionKind.Node10],
  ]) {
    const { resolvedModule } = resolveModuleName("plumb-engine", import.meta.filename, { module, moduleResolution }, sys);
    assert.match(resolvedModule?.resolvedFileName ?? "nowhere", /dist\/index\.d\.ts$/);
  }
});

test("a page of HTML in place of a file is named with its address", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!DOCTYPE html>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const wasm = `http://127.0.0.1:${server.address().port}/plumb.wasm`;
  try {
    await assert.rejects(Engine.create({ wasm, book: false }), (error) => error.message.startsWith(`${wasm}: `));
  } finally {
    server.close();
  }
});

/** Status and standard error of the program with open input. */
async function endOf(program) {
  program.stdin.on("error", () => undefined);
  let said = "";
  program.stderr.on("data", (text) => (said += text));
  const late = setTimeout(() => program.kill(), 20000);
  const [status] = await once(program, "close");
  clearTimeout(late);
  return [status, said];
}

test("the program ends in silence when nobody reads its output", async () => {
  const program = spawn(process.execPath, [cli]);
  program.stdout.destroy();
  program.stdin.write("uci\n".repeat(100));
  assert.deepEqual(await endOf(program), [0, ""]);
});

test("the program ends when its engine fails, though its input is open", async () => {
  const source = `import threads from "node:worker_threads";
    import { syncBuiltinESMExports } from "node:module";
    threads.Worker = class extends threads.Worker {
      postMessage(message) {
        if (message.line === "uci") setImmediate(() => this.emit("error", new Error("out of luck")));
        else super.postMessage(message);
      }
    };
    syncBuiltinESMExports();`;
  const program = spawn(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(source)}`, cli]);
  program.stdin.write("uci\n");
  assert.deepEqual(await endOf(program), [1, "plumb-engine: out of luck\n"]);
});

test("the program says what it is, and what it does not know", async () => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const run = (...words) => spawnSync(process.execPath, [cli, ...words], { encoding: "utf8", input: "quit\nisready\n" });
  assert.equal(run("--version").stdout, `plumb-engine ${version}\n`);
  assert.match(run("--help").stdout, /Usage: plumb-engine/);
  const refused = run("--hlep");
  assert.deepEqual([refused.status, refused.stdout], [2, ""]);
  assert.match(refused.stderr, /^plumb-engine: `--hlep`: no such argument; see `--help`\n$/);
  assert.equal(run().status, 0);
});
