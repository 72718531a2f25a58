import { FileError } from "./file-error.ts";
import { type FileReader, openReader, sizeOf } from "./file-reader.ts";
import { FileWriter } from "./file-writer.ts";
import { type Identity, MAY_READ, MAY_WRITE, permits } from "./identity.ts";
import type { DirectoryNode, FileNode, Node } from "./node.ts";
import type { Volume } from "./volume.ts";
import { type Place, walk } from "./walk.ts";

/** The top directories that are writable; everything else is Android's read-only image. */
const WRITABLE = new Set(["data", "storage", "cache", "dev"]);
const SPOOL_BYTES = 64 * 1024;

/** The files of a device as one identity may see and change them. Paths are absolute; every refusal is a `FileError`. */
export class Files {
  readonly volume: Volume;
  readonly who: Identity;

  constructor(volume: Volume, who: Identity) {
    this.volume = volume;
    this.who = who;
  }

  /** What stands at the path, links followed. */
  stat(path: string): Node {
    return this.#found(walk(this.volume.root, path, this.who, true));
  }

  /** What stands at the path; a link is not followed. */
  lstat(path: string): Node {
    return this.#found(walk(this.volume.root, path, this.who, false));
  }

  exists(path: string): boolean {
    try {
      this.stat(path);
      return true;
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  size(node: Node): number {
    if (node.kind === "file") return sizeOf(node, this.volume.make);
    if (node.kind === "link") return node.target.length;
    return node.kind === "directory" ? 4096 : 0;
  }

  /** The path without links. */
  realPath(path: string): string {
    const place = walk(this.volume.root, path, this.who, true);
    this.#found(place);
    return `/${place.names.join("/")}`;
  }

  /** A directory's entries, sorted by name. */
  list(path: string): [string, Node][] {
    const node = this.stat(path);
    if (node.kind !== "directory") throw new FileError("ENOTDIR");
    if (!permits(node, this.who, MAY_READ)) throw new FileError("EACCES");
    return [...node.children].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  open(path: string): FileReader {
    const node = this.stat(path);
    if (node.kind === "directory") throw new FileError("EISDIR");
    if (node.kind === "link") throw new FileError("ELOOP");
    if (!permits(node, this.who, MAY_READ)) throw new FileError("EACCES");
    return openReader(node, this.volume.make);
  }

  /** The whole of a file of at most `maxBytes`; a larger one throws EINVAL. */
  read(path: string, maxBytes = 16 * 1024 * 1024): Uint8Array {
    const reader = this.open(path);
    if (reader.size > maxBytes) throw new FileError("EINVAL");
    return reader.read(0, reader.size);
  }

  /** Opens a file for writing from its start. It is created if it does not exist. */
  create(path: string, mode = 0o666 & ~0o077): FileWriter {
    return this.#write(path, mode, true);
  }

  /** Opens a file for appending. It is created if it does not exist. */
  append(path: string, mode = 0o600): FileWriter {
    return this.#write(path, mode, false);
  }

  write(path: string, bytes: Uint8Array | string, mode = 0o600): void {
    const writer = this.create(path, mode);
    writer.write(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
    writer.close();
  }

  copy(from: string, to: string, mode?: number): void {
    const reader = this.open(from);
    const writer = this.create(to, mode);
    for (let at = 0; ;) {
      const chunk = reader.read(at, SPOOL_BYTES);
      if (chunk.length === 0) break;
      writer.write(chunk);
      at += chunk.length;
    }
    writer.close();
  }

  makeDirectory(path: string, mode = 0o777): void {
    const place = walk(this.volume.root, path.replace(/\/+$/, "") || "/", this.who, false);
    if (place.node) throw new FileError("EEXIST");
    this.#add(place, { kind: "directory", ...this.#meta(mode), children: new Map() });
  }

  /** Creates a directory and its parents. Does nothing if it exists. */
  makeDirectories(path: string, mode = 0o777): void {
    const names = path.split("/").filter((name) => name !== "");
    for (let length = 1; length <= names.length; length++) {
      const part = `/${names.slice(0, length).join("/")}`;
      if (!this.exists(part)) this.makeDirectory(part, mode);
    }
    if (this.stat(path).kind !== "directory") throw new FileError("ENOTDIR");
  }

  link(path: string, target: string): void {
    const place = walk(this.volume.root, path, this.who, false);
    if (place.node) throw new FileError("EEXIST");
    this.#add(place, { kind: "link", ...this.#meta(0o777), target });
  }

  /** Removes a file, a link or, with `directory`, an empty directory. */
  remove(path: string, { directory = false } = {}): void {
    const place = walk(this.volume.root, path, this.who, false);
    const node = this.#found(place);
    const parent = this.#parent(place);
    if (directory) {
      if (node.kind !== "directory") throw new FileError("ENOTDIR");
      if (node.children.size > 0) throw new FileError("ENOTEMPTY");
    } else if (node.kind === "directory") throw new FileError("EISDIR");
    this.#drop(parent, place, node);
  }

  /** Removes a file, or a directory with everything in it. */
  removeTree(path: string): void {
    const place = walk(this.volume.root, path, this.who, false);
    const node = this.#found(place);
    this.#drop(this.#parent(place), place, node);
  }

  /** Moves a file or directory. A file at the destination is replaced. */
  rename(from: string, to: string): void {
    const source = walk(this.volume.root, from, this.who, false);
    const node = this.#found(source);
    const goal = walk(this.volume.root, to, this.who, false);
    if (goal.node === node) return;
    if (isBelow(source.names, goal.names)) throw new FileError("EINVAL");
    if (goal.node) {
      if (goal.node.kind === "directory" && node.kind !== "directory") throw new FileError("EISDIR");
      if (goal.node.kind !== "directory" && node.kind === "directory") throw new FileError("ENOTDIR");
      if (goal.node.kind === "directory" && goal.node.children.size > 0) throw new FileError("ENOTEMPTY");
      this.#drop(this.#parent(goal), goal, goal.node);
    }
    this.#parent(goal).children.set(goal.names.at(-1)!, node);
    const parent = this.#parent(source);
    parent.children.delete(source.names.at(-1)!);
    parent.mtimeMs = this.volume.now();
  }

  chmod(path: string, mode: number): void {
    this.#change(path, (node) => (node.mode = mode & 0o7777));
  }

  chown(path: string, uid: number, gid: number): void {
    if (this.who.uid !== 0) throw new FileError("EPERM");
    this.#change(path, (node) => {
      node.uid = uid;
      node.gid = gid;
    });
  }

  setTime(path: string, mtimeMs: number): void {
    this.#change(path, (node) => (node.mtimeMs = mtimeMs));
  }

  #write(path: string, mode: number, truncate: boolean): FileWriter {
    const place = walk(this.volume.root, path, this.who, true);
    if (!place.node) {
      const node: FileNode = { kind: "file", ...this.#meta(mode), content: emptyContent() };
      this.#add(place, node);
      return new FileWriter(this.volume, node);
    }
    if (place.node.kind === "directory") throw new FileError("EISDIR");
    if (place.node.kind === "link") throw new FileError("ELOOP");
    if (!permits(place.node, this.who, MAY_WRITE)) throw new FileError("EACCES");
    if (place.node.kind === "char") return sink(this.volume);
    this.#mustBeWritable(place);
    const parent = this.volume.own(place.names.slice(0, -1));
    const node = this.volume.ownChild(parent, place.names.at(-1)!, place.node);
    if (node.content.kind === "made") throw new FileError("EACCES");
    if (truncate) {
      this.volume.drop(node.content, node);
      node.content = emptyContent();
      node.mtimeMs = this.volume.now();
    }
    return new FileWriter(this.volume, node);
  }

  #meta(mode: number) {
    const gid = this.who.gids[0] ?? this.who.uid;
    return { mode, mtimeMs: this.volume.now(), uid: this.who.uid, gid, owner: this.volume.owner };
  }

  #found(place: Place): Node {
    if (!place.node) throw new FileError("ENOENT");
    return place.node;
  }

  #mustBeWritable(place: Place): void {
    if (!WRITABLE.has(place.names[0] ?? "")) throw new FileError("EROFS");
  }

  /** The directory above a place, ready to be changed. */
  #parent(place: Place): DirectoryNode {
    const above = place.names.slice(0, -1);
    if (place.names.length === 0) throw new FileError("EROFS");
    const parent = walk(this.volume.root, `/${above.join("/")}`, this.who, true).node;
    if (parent?.kind !== "directory") throw new FileError("ENOTDIR");
    this.#mustBeWritable(place);
    if (!permits(parent, this.who, MAY_WRITE)) throw new FileError("EACCES");
    return this.volume.own(above);
  }

  #add(place: Place, node: Node): void {
    const parent = this.#parent(place);
    this.volume.takeNode();
    parent.children.set(place.names.at(-1)!, node);
    parent.mtimeMs = this.volume.now();
  }

  #drop(parent: DirectoryNode, place: Place, node: Node): void {
    parent.children.delete(place.names.at(-1)!);
    parent.mtimeMs = this.volume.now();
    this.volume.dropTree(node);
  }

  #change(path: string, change: (node: Node) => void): void {
    const place = walk(this.volume.root, path, this.who, true);
    const node = this.#found(place);
    if (place.names.length === 0) throw new FileError("EROFS");
    this.#mustBeWritable(place);
    if (this.who.uid !== 0 && this.who.uid !== node.uid) throw new FileError("EPERM");
    const parent = this.volume.own(place.names.slice(0, -1));
    change(this.volume.ownChild(parent, place.names.at(-1)!, node));
  }
}

const emptyContent = () => ({ kind: "bytes" as const, bytes: new Uint8Array(0) });

const isBelow = (folder: readonly string[], names: readonly string[]): boolean =>
  folder.length <= names.length && folder.every((name, at) => names[at] === name);

/** A writer that discards everything, for /dev/null. */
function sink(volume: Volume): FileWriter {
  const writer = new FileWriter(volume, {
    kind: "file",
    mode: 0,
    mtimeMs: 0,
    uid: 0,
    gid: 0,
    owner: volume.owner,
    content: emptyContent(),
  });
  writer.write = () => undefined;
  return writer;
}
