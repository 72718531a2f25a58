import type { CharNode, Content, Node } from "./node.ts";
import { SavedFile, type SavedPlace } from "./saved-file.ts";
import type { TreeChange } from "./tree-changes.ts";
import type { Volume } from "./volume.ts";

interface Common {
  path: string;
  mode: number;
  mtimeMs: number;
  uid: number;
  gid: number;
}

/** What is saved of one change of a tree. */
export type SavedEntry =
  | { kind: "deleted"; path: string }
  | (Common & { kind: "directory" })
  | (Common & { kind: "file"; place: SavedPlace })
  | (Common & { kind: "link"; target: string })
  | (Common & { kind: "char"; device: CharNode["device"] });

/** @param placeOf says where the bytes of a file's content are saved */
export function entryOf({ path, node }: TreeChange, placeOf: (content: Content) => SavedPlace): SavedEntry {
  if (!node) return { kind: "deleted", path };
  const { mode, mtimeMs, uid, gid } = node;
  const common = { path, mode, mtimeMs, uid, gid };
  if (node.kind === "directory") return { kind: "directory", ...common };
  if (node.kind === "link") return { kind: "link", ...common, target: node.target };
  if (node.kind === "char") return { kind: "char", ...common, device: node.device };
  return { kind: "file", ...common, place: placeOf(node.content) };
}

/** Makes a saved change to a volume, after those that were saved before it. @param folder holds the layers */
export function restoreEntry(volume: Volume, entry: SavedEntry, folder: string): void {
  const names = entry.path.split("/").slice(1);
  const name = names.pop()!;
  const { children } = volume.own(names);
  const before = children.get(name);
  if (entry.kind === "deleted") {
    children.delete(name);
    if (before) volume.dropTree(before);
    return;
  }
  const node = nodeOf(entry, volume, folder);
  if (node.kind === "directory" && before?.kind === "directory") node.children = new Map(before.children);
  else {
    if (before) volume.dropTree(before);
    volume.takeNode();
  }
  children.set(name, node);
}

function nodeOf(entry: Exclude<SavedEntry, { kind: "deleted" }>, volume: Volume, folder: string): Node {
  const { mode, mtimeMs, uid, gid } = entry;
  const common = { mode, mtimeMs, uid, gid, owner: volume.owner };
  if (entry.kind === "directory") return { kind: "directory", ...common, children: new Map() };
  if (entry.kind === "link") return { kind: "link", ...common, target: entry.target };
  if (entry.kind === "char") return { kind: "char", ...common, device: entry.device };
  volume.takeSaved(entry.place.size);
  return { kind: "file", ...common, content: { kind: "saved", file: new SavedFile(entry.place, folder) } };
}
