import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cluster } from "./cluster.ts";
import { asMessages, openChannels } from "./channels.ts";

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const MAX_COMPLAINT = 500;

export interface Program {
  pod: string;
  container: string;
  command: readonly string[];
  /** What it reads. The end of it is not signalled: it must know where that is. */
  stdin?: AsyncIterable<Uint8Array>;
}

/**
 * Runs a program in a container, and gives what it prints.
 * @throws Error with what it said, if it fails; what `stdin` throws; the signal's reason
 */
export async function* exec(cluster: Cluster, program: Program, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { pod, container, command, stdin } = program;
  const query: [string, string][] = [
    ["container", container],
    ["stdin", String(stdin !== undefined)],
    ["stdout", "true"],
    ["stderr", "true"],
    ...command.map((word): [string, string] => ["command", word]),
  ];
  const stream = await openChannels(cluster, { pod, what: "exec", query }, signal);
  const end = () => stream.destroy(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  let complaint = "";
  if (stdin)
    // The program is not notified of an end, so there is none. What fails there fails here.
    pipeline(Readable.from(stdin), asMessages(STDIN), stream, { end: false }).catch((error: Error) => {
      stream.destroy(error);
    });
  try {
    for await (const message of stream as AsyncIterable<Buffer>) {
      const [channel] = message;
      const bytes = message.subarray(1);
      if (channel === STDOUT && bytes.length > 0) yield bytes;
      else if (channel === STDERR) complaint = (complaint + bytes.toString()).slice(0, MAX_COMPLAINT);
      else if (channel === STATUS) return checkStatus(bytes, complaint);
    }
    throw new Error("the connection to a program in a container broke");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    stream.destroy();
  }
}

/** All that a program prints. @throws as `exec` */
export async function output(cluster: Cluster, program: Program, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of exec(cluster, program, signal)) parts.push(part);
  return Buffer.concat(parts).toString();
}

function checkStatus(bytes: Buffer, complaint: string): void {
  const { status, message } = JSON.parse(bytes.toString()) as { status?: string; message?: string };
  if (status !== "Success") throw new Error(complaint.trim() || message || "a program in a container failed");
}
