import type { DirectoryNode, Node } from "./node.ts";

/** A name that is gone, or what stands there now; of a directory only itself, since its entries follow. */
export type TreeChange = { path: string; node: Node | undefined };

const NONE: ReadonlyMap<string, Node> = new Map();

/**
 * What differs between two trees, directories before their entries. Subtrees that both share are not entered, so this takes as long as
 * what has changed is large.
 */
export function* treeChanges(
  before: DirectoryNode | undefined,
  now: DirectoryNode,
  path = "",
): Generator<TreeChange, void, undefined> {
  const old = before?.children ?? NONE;
  for (const name of old.keys()) if (!now.children.has(name)) yield { path: `${path}/${name}`, node: undefined };
  for (const [name, node] of now.children) {
    const was = old.get(name);
    if (was === node) continue;
    const here = `${path}/${name}`;
    if (was && was.kind !== node.kind) yield { path: here, node: undefined };
    if (node.kind !== "directory") yield { path: here, node };
    else {
      const same = was?.kind === "directory" ? was : undefined;
      if (!same || !isAlike(same, node)) yield { path: here, node };
      yield* treeChanges(same, node, here);
    }
  }
}

const isAlike = (one: Node, other: Node): boolean =>
  one.mode === other.mode && one.mtimeMs === other.mtimeMs && one.uid === other.uid && one.gid === other.gid;
