import { randomFillSync } from "node:crypto";
import type { CharNode, FileNode } from "./node.ts";

/** Bytes of one file, by position. Reading past the end gives fewer bytes, then none. */
export interface FileReader {
  /** Infinity for a character device without an end. */
  readonly size: number;
  /** Not on the disk: the system makes it. */
  readonly isMade?: boolean;
  read(at: number, length: number): Uint8Array;
}

export function openReader(node: FileNode | CharNode, make: (name: string) => Uint8Array): FileReader {
  if (node.kind === "char") {
    const isMade = true;
    if (node.device === "zero") return { size: Infinity, isMade, read: (_at, length) => new Uint8Array(length) };
    if (node.device === "random")
      return { size: Infinity, isMade, read: (_at, length) => randomFillSync(new Uint8Array(length)) };
    return { size: 0, isMade, read: () => new Uint8Array(0) };
  }
  const { content } = node;
  if (content.kind === "spilled" || content.kind === "saved") return content.file;
  const bytes = content.kind === "bytes" ? content.bytes : make(content.name);
  return { size: bytes.length, isMade: content.kind === "made", read: (at, length) => bytes.subarray(at, at + length) };
}

/** How long a file is, in bytes. */
export function sizeOf(node: FileNode, make: (name: string) => Uint8Array): number {
  const { content } = node;
  if (content.kind === "bytes") return content.bytes.length;
  return content.kind === "made" ? make(content.name).length : content.file.size;
}
