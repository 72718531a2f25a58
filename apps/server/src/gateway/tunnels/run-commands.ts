import { command } from "@terrarium/adb";

const HEADER_BYTES = 24;
/** Of what a stream is opened for, as much as is read: a command of `input` is short. */
const MAX_READ_BYTES = 1_024;

/**
 * Reads from a client's adb which commands it has run on its device: `shell:`, `shell,v2,…:` and `exec:`. What else passes is neither
 * looked at nor held. Once it is no adb, nothing is read any more.
 */
export class RunCommands {
  #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Of the payload that passes, what is still to come. */
  #left = 0;
  /** What a stream is opened for, while that passes. */
  #destination: Buffer[] | undefined;
  #isAdb = true;

  /** The commands that have come to their end with these bytes. */
  push(bytes: Uint8Array): string[] {
    const commands: string[] = [];
    let at = 0;
    while (this.#isAdb && at < bytes.length) {
      if (this.#left > 0) {
        const part = bytes.subarray(at, at + this.#left);
        this.#destination?.push(Buffer.from(part));
        this.#left -= part.length;
        at += part.length;
      } else {
        const part = bytes.subarray(at, at + HEADER_BYTES - this.#headerBytes);
        this.#header.set(part, this.#headerBytes);
        this.#headerBytes += part.length;
        at += part.length;
        if (this.#headerBytes === HEADER_BYTES) this.#begin();
      }
      if (this.#left > 0 || !this.#destination) continue;
      const run = /^(?:shell(?:,[^:]*)?|exec):(.+)$/s.exec(
        Buffer.concat(this.#destination).toString().replace(/\0$/, ""),
      );
      this.#destination = undefined;
      if (run?.[1] !== undefined) commands.push(run[1]);
    }
    return commands;
  }

  #begin(): void {
    const code = this.#header.readUInt32LE(0);
    this.#headerBytes = 0;
    this.#left = this.#header.readUInt32LE(12);
    this.#isAdb = this.#header.readUInt32LE(20) === (code ^ 0xffffffff) >>> 0;
    this.#destination = code === command.OPEN && this.#left > 0 && this.#left <= MAX_READ_BYTES ? [] : undefined;
  }
}
