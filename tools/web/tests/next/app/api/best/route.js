import { bestMove } from "../../../best_move";

export async function GET() {
  return Response.json(await bestMove());
}
