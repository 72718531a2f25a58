import { FileError } from "./file-error.ts";
import { type Content, type DirectoryNode, type Node, ownCopy } from "./node.ts";
import { SpillFolder } from "./spill.ts";

export interface VolumeOptions {
  base: DirectoryNode;
  /** What the data partition says it holds. */
  totalBytes: number;
  /** How much may really be written; the smaller of this and `totalBytes` is the limit. */
  maxBytes: number;
  /** A larger file is stored on the host's disk. */
  spillBytes?: number;
  /** Once this much is held in memory, small files go to the host's disk too. */
  maxHeldBytes?: number;
  spillFolder: string;
  now: () => number;
  /** The bytes of a made file. */
  make: (name: string) => Uint8Array;
}

const BLOCK_BYTES = 4096;
/** How many nodes a device may add: each costs memory that its blocks do not account for. */
const MAX_NODES = 65_536;
const DEFAULT_SPILL_BYTES = 1024 * 1024;
const DEFAULT_HELD_BYTES = 32 * 1024 * 1024;

export const blocksOf = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

/**
 * The files of one device: a tree that starts as the shared base image and copies a directory the first time it
 * changes (path copying), so that an idle device owns nothing.
 */
export class Volume {
  root: DirectoryNode;
  /** The tree of a new device. */
  readonly base: DirectoryNode;
  readonly totalBytes: number;
  readonly now: () => number;
  readonly make: (name: string) => Uint8Array;
  readonly spill: SpillFolder;
  readonly #maxBytes: number;
  readonly #spillBytes: number;
  readonly #maxHeldBytes: number;
  /** Owns the nodes that may be changed in place. */
  #owner = {};
  #sealed: DirectoryNode;
  #isFrozen = false;
  #used = 0;
  #held = 0;
  #nodes = 0;

  constructor(options: VolumeOptions) {
    this.root = this.base = this.#sealed = options.base;
    this.totalBytes = options.totalBytes;
    this.now = options.now;
    this.make = options.make;
    this.spill = new SpillFolder(options.spillFolder);
    this.#maxBytes = Math.min(options.totalBytes, options.maxBytes);
    this.#spillBytes = options.spillBytes ?? DEFAULT_SPILL_BYTES;
    this.#maxHeldBytes = options.maxHeldBytes ?? DEFAULT_HELD_BYTES;
  }

  get owner(): object {
    return this.#owner;
  }

  /** The tree as it was when it was last sealed; at first the base image. */
  get sealed(): DirectoryNode {
    return this.#sealed;
  }

  /** Remembers the tree as it is now, to compare later ones with. */
  seal(): void {
    this.#owner = {};
    this.#sealed = this.root;
  }

  /** Refuses every change with EROFS, until the returned function is called. */
  freeze(): () => void {
    this.#isFrozen = true;
    return () => (this.#isFrozen = false);
  }

  checkThawed(): void {
    if (this.#isFrozen) throw new FileError("EROFS");
  }

  get usedBytes(): number {
    return this.#used;
  }
  get availableBytes(): number {
    return Math.max(0, this.#maxBytes - this.#used);
  }
  get heldBytes(): number {
    return this.#held;
  }

  /** Whether a file that grows to `bytes` should leave memory. */
  shouldSpill(bytes: number): boolean {
    return bytes > this.#spillBytes || this.#held + bytes > this.#maxHeldBytes;
  }

  /** Counts blocks of a growing file; throws ENOSPC and counts nothing when they do not fit. */
  take(blockBytes: number): void {
    if (this.#used + blockBytes > this.#maxBytes) throw new FileError("ENOSPC");
    this.#used += blockBytes;
  }
  /** Counts a file that was saved. It may exceed the limit, when the disk is smaller now: then there is no room for others. */
  takeSaved(bytes: number): void {
    this.#used += blocksOf(bytes);
  }
  giveBack(blockBytes: number): void {
    this.#used -= blockBytes;
  }

  takeNode(): void {
    if (this.#nodes >= MAX_NODES) throw new FileError("ENOSPC");
    this.#nodes++;
  }

  /** Counts what a file holds in memory. */
  hold(bytes: number): void {
    this.#held += bytes;
  }

  /** Frees the content of a file of this volume. The base image was never counted. */
  drop(content: Content, node: Node): void {
    if (node.owner === undefined || content.kind === "made") return;
    if (content.kind === "bytes") {
      this.#held -= content.bytes.length;
      this.giveBack(blocksOf(content.bytes.length));
    } else {
      this.giveBack(blocksOf(content.file.size));
      if (content.kind === "spilled") content.file.remove();
    }
  }

  /** Forgets a whole subtree that was taken out of the tree. */
  dropTree(node: Node): void {
    if (node.owner !== undefined) this.#nodes = Math.max(0, this.#nodes - 1);
    if (node.kind === "file") this.drop(node.content, node);
    if (node.kind === "directory") for (const child of node.children.values()) this.dropTree(child);
  }

  /** The directory at these names, copied as far as needed so that it may be changed. */
  own(names: readonly string[]): DirectoryNode {
    this.checkThawed();
    let directory = this.#mine(this.root, (copy) => (this.root = copy));
    for (const name of names) {
      const child = directory.children.get(name);
      if (child?.kind !== "directory") throw new FileError("ENOTDIR");
      const parent = directory;
      directory = this.#mine(child, (copy) => parent.children.set(name, copy));
    }
    return directory;
  }

  /** A copy of `node` in `parent` that may be changed. `parent` must be owned. */
  ownChild<T extends Node>(parent: DirectoryNode, name: string, node: T): T {
    if (node.owner === this.#owner) return node;
    const copy = ownCopy(node, this.#owner);
    parent.children.set(name, copy);
    return copy;
  }

  #mine(node: DirectoryNode, replace: (copy: DirectoryNode) => void): DirectoryNode {
    if (node.owner === this.#owner) return node;
    const copy = ownCopy(node, this.#owner);
    replace(copy);
    return copy;
  }

  /** Removes what lies on the host's disk. */
  close(): void {
    this.spill.remove();
  }
}
