import type { SavedFile } from "./saved-file.ts";
import type { SpilledFile } from "./spill.ts";

/** Where a file's bytes are. */
export type Content =
  | { kind: "bytes"; bytes: Uint8Array }
  /** Made for each reader from what the device knows: `/proc/cpuinfo`, `/system/build.prop`. */
  | { kind: "made"; name: string }
  | { kind: "spilled"; file: SpilledFile }
  /** In a layer that the device was started from. */
  | { kind: "saved"; file: SavedFile };

interface Common {
  /** The twelve permission bits; the kind is in `kind`. */
  mode: number;
  mtimeMs: number;
  uid: number;
  gid: number;
  /** Who may change this node in place; all others copy it first. Undefined: nobody, as it is of the shared base image. */
  owner: object | undefined;
}

export interface FileNode extends Common {
  kind: "file";
  content: Content;
}
export interface DirectoryNode extends Common {
  kind: "directory";
  children: Map<string, Node>;
}
interface LinkNode extends Common {
  kind: "link";
  target: string;
}
export interface CharNode extends Common {
  kind: "char";
  device: "null" | "zero" | "random" | "tty";
}
export type Node = FileNode | DirectoryNode | LinkNode | CharNode;

const kindBits = { file: 0o100000, directory: 0o040000, link: 0o120000, char: 0o020000 } as const;

/** `st_mode`: kind and permission bits, as Linux puts them together. */
export const statMode = (node: Node): number => kindBits[node.kind] | node.mode;

/** A copy that `owner` may change. A directory's copy has a children table of its own; the children stay shared. */
export function ownCopy<T extends Node>(node: T, owner: object): T {
  const copy = { ...node, owner };
  if (copy.kind === "directory") copy.children = new Map(copy.children);
  return copy;
}
