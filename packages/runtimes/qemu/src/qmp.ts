import { abortable, type Clock, within } from "@terrarium/clock";
import type { MachineControl } from "@terrarium/runtime";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { QMP_SOCKET } from "./arguments.ts";

/** A flush of all that a guest has written may take long. */
const ANSWER_TIMEOUT_MS = 60_000;

interface Message {
  id?: number;
  return?: unknown;
  error?: { desc: string };
  event?: string;
  data?: { reason?: string };
}

/** The control channel of a QEMU: one JSON object a line, as "QEMU Machine Protocol Specification" of its documentation has it. */
export class Qmp implements MachineControl {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #asked = new Map<number, (message: Message) => void>();
  readonly #closed = new AbortController();
  #count = 0;
  /** Why the machine has shut down, in QEMU's words: `guest-shutdown`. */
  lastReason: string | undefined;

  private constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    const lines = createInterface({ input: socket });
    lines.on("line", (line) => this.#hear(line));
    lines.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.once("close", () => this.#closed.abort(new Error("QEMU has ended")));
  }

  /** Connects to the QEMU of a folder, which takes one such connection at a time. Rejects if there is none. */
  static async connect(folder: string, clock: Clock, signal: AbortSignal): Promise<Qmp> {
    // A path by the descriptor of its folder is never too long.
    const handle = await open(folder);
    try {
      const socket = connect({ path: `/proc/self/fd/${handle.fd}/${QMP_SOCKET}` });
      const qmp = new Qmp(socket, clock);
      try {
        await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
        await qmp.ask("qmp_capabilities", {}, signal);
        return qmp;
      } catch (error) {
        qmp.close();
        throw error;
      }
    } finally {
      await handle.close();
    }
  }

  /** Aborts when QEMU has ended, or `close` was called. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** @throws Error with QEMU's words; the signal's reason; Error if QEMU ends or does not answer */
  ask(execute: string, argument: object = {}, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#count;
    const answered = new Promise<Message>((resolve) => this.#asked.set(id, resolve));
    this.#socket.write(`${JSON.stringify({ execute, arguments: argument, id })}\n`);
    const end = signal ? AbortSignal.any([signal, this.closed]) : this.closed;
    return within(ANSWER_TIMEOUT_MS, this.#clock, end, async (limited) => {
      const { error, return: result } = await abortable(answered, limited);
      if (error) throw new Error(error.desc);
      return result;
    }).finally(() => this.#asked.delete(id));
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      // QEMU was killed in the middle of its last line; the socket's end follows.
      return;
    }
    if (message.event === "SHUTDOWN") this.lastReason = message.data?.reason;
    if (message.id !== undefined) this.#asked.get(message.id)?.(message);
  }
}

/** Does something while a guest stands still. */
export async function standingStill(qmp: Qmp, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await qmp.ask("stop", {}, signal);
    await work();
  } finally {
    await qmp.ask("cont").catch(() => undefined);
  }
}
