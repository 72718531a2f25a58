import type { FileNode } from "./node.ts";
import { blocksOf, type Volume } from "./volume.ts";

/** Adds bytes to the end of one file. The file is readable meanwhile. */
export class FileWriter {
  readonly #volume: Volume;
  readonly #node: FileNode;

  /** `node` must be the volume's own. */
  constructor(volume: Volume, node: FileNode) {
    this.#volume = volume;
    this.#node = node;
  }

  /** Throws ENOSPC when the device is full; what was written before stays, as on a real disk. */
  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const { content } = this.#node;
    const volume = this.#volume;
    volume.checkThawed();
    if (content.kind === "made") throw new Error("a made file is never opened for writing");
    const before = content.kind === "bytes" ? content.bytes.length : content.file.size;
    const after = before + chunk.length;
    volume.take(blocksOf(after) - blocksOf(before));
    this.#node.mtimeMs = volume.now();
    if (content.kind === "spilled") return content.file.append(chunk);
    if (content.kind === "saved") {
      // Not copied: it may be as large as the disk.
      const file = volume.spill.create(content.file);
      file.append(chunk);
      this.#node.content = { kind: "spilled", file };
      return;
    }
    if (volume.shouldSpill(after)) {
      const file = volume.spill.create();
      file.append(content.bytes);
      file.append(chunk);
      volume.hold(-before);
      this.#node.content = { kind: "spilled", file };
      return;
    }
    volume.hold(chunk.length);
    content.bytes = concat(content.bytes, chunk);
  }

  close(): void {
    if (this.#node.content.kind === "spilled") this.#node.content.file.settle();
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const all = new Uint8Array(left.length + right.length);
  all.set(left);
  all.set(right, left.length);
  return all;
}
