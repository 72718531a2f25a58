import { FileError } from "./file-error.ts";
import { type Identity, MAY_ENTER, permits } from "./identity.ts";
import type { DirectoryNode, Node } from "./node.ts";

const MAX_LINKS = 40;
const MAX_NAME_BYTES = 255;
const MAX_NAMES = 1024;

/** Where a path leads: the real names from the root, the last directory, and what stands there, if anything. */
export interface Place {
  names: string[];
  node: Node | undefined;
}

/**
 * Follows a path from the root. Links on the way are followed; the last one only with `followLast`.
 * A missing last name gives a place without a node; a missing name before it throws ENOENT.
 */
export function walk(root: DirectoryNode, path: string, who: Identity, followLast: boolean): Place {
  const ahead = path.split("/").filter((name) => name !== "" && name !== ".");
  const mustBeDirectory = /\/\.?$/.test(path);
  const trail: { name: string; node: Node }[] = [];
  let links = 0;
  if (ahead.length > MAX_NAMES) throw new FileError("ENAMETOOLONG");
  while (ahead.length > 0) {
    const name = ahead.shift()!;
    if (name === "..") {
      trail.pop();
      continue;
    }
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new FileError("ENAMETOOLONG");
    const here = trail.at(-1)?.node ?? root;
    if (here.kind !== "directory") throw new FileError("ENOTDIR");
    if (!permits(here, who, MAY_ENTER)) throw new FileError("EACCES");
    const child = here.children.get(name);
    const last = ahead.length === 0;
    if (!child) {
      if (!last) throw new FileError("ENOENT");
      return { names: [...trail.map((step) => step.name), name], node: undefined };
    }
    if (child.kind === "link" && (!last || followLast || mustBeDirectory)) {
      if (++links > MAX_LINKS) throw new FileError("ELOOP");
      ahead.unshift(...child.target.split("/").filter((part) => part !== "" && part !== "."));
      if (child.target.startsWith("/")) trail.length = 0;
      continue;
    }
    trail.push({ name, node: child });
  }
  const node = trail.at(-1)?.node ?? root;
  if (mustBeDirectory && node.kind !== "directory") throw new FileError("ENOTDIR");
  return { names: trail.map((step) => step.name), node };
}
