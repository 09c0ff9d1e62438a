import { Engine } from "plumb-engine";

export async function bestMove() {
  const engine = await Engine.create();
  const lines = await engine.send("go depth 42", "bestmove");
  engine.terminate();
  return lines.at(-1);
}
