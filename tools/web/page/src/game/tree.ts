import { type Position } from "./position";

/** A move and its continuations. The first continuation is the main line. */
export interface Branch {
  readonly column: number;
  readonly next: Tree;
}

export type Tree = readonly Branch[];

/** The continuations after a path. Undefined if the path is not in the tree. */
export function treeAfter(tree: Tree, path: readonly number[]): Tree | undefined {
  let next: Tree | undefined = tree;
  for (const column of path) next = next?.find((branch) => branch.column === column)?.next;
  return next;
}

/** A path with its main continuation. */
export function lineThrough(tree: Tree, path: readonly number[]): number[] {
  const line = [...path];
  for (let next = treeAfter(tree, path)?.[0]; next !== undefined; next = next.next[0]) line.push(next.column);
  return line;
}

/** The tree with other moves after a path. Missing moves become last variations. */
export function withAfter(tree: Tree, path: readonly number[], change: (next: Tree) => Tree): Tree {
  const [column, ...rest] = path;
  if (column === undefined) return change(tree);
  const old = tree.find((branch) => branch.column === column);
  const branch = { column, next: withAfter(old?.next ?? [], rest, change) };
  return old === undefined ? [...tree, branch] : tree.map((other) => (other === old ? branch : other));
}

export const withPath = (tree: Tree, path: readonly number[]): Tree => withAfter(tree, path, (next) => next);

export function promote(tree: Tree, [column, ...rest]: readonly number[]): Tree {
  const chosen = tree.find((branch) => branch.column === column);
  if (chosen === undefined) return tree;
  return [{ ...chosen, next: promote(chosen.next, rest) }, ...tree.filter((branch) => branch !== chosen)];
}

export interface Entry {
  readonly position: Position;
  readonly column: number;
  readonly path: readonly number[];
}

/** A move of the main line, or a variation that replaces the previous move. */
export type Part = Entry | { readonly depth: number; readonly entries: readonly Entry[] };

export function listOf(start: Position, tree: Tree): Part[] {
  return walk(start, tree, [], 0).flatMap(({ entry, variations }) => [entry, ...variations]);
}

function walk(
  start: Position,
  tree: Tree,
  before: readonly number[],
  depth: number,
): { entry: Entry; variations: Part[] }[] {
  const all: { entry: Entry; variations: Part[] }[] = [];
  let [position, path] = [start, before];
  for (let next = tree; next[0] !== undefined; next = next[0].next) {
    const { column } = next[0];
    const at = { position, path };
    const variations = next.slice(1).flatMap((branch) => {
      const moves = walk(at.position, [branch], at.path, depth + 1);
      return [
        { depth: depth + 1, entries: moves.map(({ entry }) => entry) },
        ...moves.flatMap((move) => move.variations),
      ];
    });
    path = [...path, column];
    all.push({ entry: { position, column, path }, variations });
    position = position.play(column);
  }
  return all;
}
