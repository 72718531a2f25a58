import { abortable, type Clock, within } from "@terrarium/clock";
import type { MachineConsole, MachineControl } from "@terrarium/runtime";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** To save what a device has in memory takes longest. */
const ANSWER_TIMEOUT_MS = 120_000;
/** What is printed at most before `OK`. */
const MAX_LINES = 10_000;

interface Asked {
  lines: string[];
  resolve: (said: string) => void;
  reject: (error: Error) => void;
}

/**
 * The console of an emulator: a line is a command; what it prints ends with a line `OK`, or one that begins with `KO: `. It first says hello
 * in the same way, and takes nothing before `auth` and the token that is in a file of its user's home.
 */
export class Console implements MachineConsole, MachineControl {
  readonly #socket: Socket;
  readonly #clock: Clock;
  /** Those that have not been answered, in the order in which they were asked. */
  readonly #asked: Asked[] = [];
  readonly #closed = new AbortController();

  private constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    const lines = createInterface({ input: socket });
    lines.on("line", (line) => this.#hear(line));
    lines.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      const error = new Error("the emulator has ended");
      this.#closed.abort(error);
      for (const { reject } of this.#asked) reject(error);
    });
  }

  /** Rejects if there is none on this port of loopback, or it does not take the token. */
  static async connect(port: number, token: string, clock: Clock, signal: AbortSignal): Promise<Console> {
    const console = new Console(connect(port, "127.0.0.1"), clock);
    try {
      await console.#answer(signal);
      await console.send(`auth ${token}`, signal);
      return console;
    } catch (error) {
      console.close();
      throw error;
    }
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async send(command: string, signal?: AbortSignal): Promise<string> {
    // It would be two commands.
    if (/[\r\n\0]/.test(command)) throw new Error("a command of the console is one line");
    signal?.throwIfAborted();
    const answered = this.#answer(signal);
    this.#socket.write(`${command}\r\n`);
    return answered;
  }

  close(): void {
    this.#socket.destroy();
  }

  #answer(signal?: AbortSignal): Promise<string> {
    const answered = new Promise<string>((resolve, reject) => this.#asked.push({ lines: [], resolve, reject }));
    // Nobody may wait for it any more when it comes.
    answered.catch(() => undefined);
    const end = signal ? AbortSignal.any([signal, this.closed]) : this.closed;
    return within(ANSWER_TIMEOUT_MS, this.#clock, end, (limited) => abortable(answered, limited));
  }

  #hear(line: string): void {
    const asked = this.#asked[0];
    if (!asked) return;
    if (/^OK\b/.test(line)) {
      this.#asked.shift();
      asked.resolve(asked.lines.join("\n"));
    } else if (/^KO\b/.test(line)) {
      this.#asked.shift();
      asked.reject(new Error(`the emulator's console: ${line.replace(/^KO:?\s*/, "")}`));
    } else if (asked.lines.push(line) > MAX_LINES) this.close();
  }
}
