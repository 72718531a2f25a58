import { type Element, markPicture } from "@terrarium/mcp/mark-picture";
import { parentPort, workerData } from "node:worker_threads";

const port = parentPort;
if (!port) throw new Error("Pictures are drawn in a thread");

/** Buffers arrive as plain arrays of bytes. */
const { png, elements } = workerData as { png: Uint8Array; elements: readonly Element[] };
port.postMessage(markPicture(Buffer.from(png.buffer, png.byteOffset, png.byteLength), elements), []);
