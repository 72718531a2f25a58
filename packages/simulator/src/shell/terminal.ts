import type { ByteSink, ShellRequest } from "@terrarium/adb";
import { Interpreter, type InterpreterOptions } from "./interpreter.ts";
import { Exit } from "./jumps.ts";
import { type ByteSource, Pipe } from "./pipe.ts";
import { parseScript } from "./parser.ts";
import { ScriptError } from "./script.ts";
import type { ShellState } from "./shell-state.ts";

const INTERRUPT = "\x03";
const END = "\x04";
const INTERRUPTED_STATUS = 130;
const MAX_LINE = 64 * 1024;
const MAX_HISTORY = 100;

/**
 * The line discipline and prompt of `adb shell` with a terminal: it echoes, edits the line, has a history, and hands lines to the shell or,
 * while a command runs, to that command's input.
 */
export class Terminal {
  readonly #deps: Omit<InterpreterOptions, "signal">;
  readonly #signal: AbortSignal;
  readonly #state: ShellState;
  readonly #request: ShellRequest;
  readonly #out: ByteSink;
  readonly #lines: string[] = [];
  readonly #history: string[] = [];
  #recalled = 0;
  #line = "";
  #ended = false;
  #changed = Promise.withResolvers<void>();
  /** The input of the running command, if there is one. */
  #foreground: Pipe | undefined;
  #interrupt = new AbortController();

  constructor(deps: Omit<InterpreterOptions, "signal">, state: ShellState, request: ShellRequest, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#state = state;
    this.#request = request;
    this.#out = {
      write: (data) => {
        const text = typeof data === "string" ? data : Buffer.from(data).toString("latin1");
        return request.stdout.write(
          Buffer.from(text.replaceAll(/\r?\n/g, "\r\n"), typeof data === "string" ? "utf8" : "latin1"),
        );
      },
    };
  }

  /** Runs the command of the request, or prompts until `exit` or the end of input. Returns the exit code. */
  async run(): Promise<number> {
    const typing = this.#type().catch(() => this.#end());
    try {
      if (this.#request.command !== "") return await this.#runLine(this.#request.command);
      for (;;) {
        await this.#request.stdout.write(this.#prompt());
        const line = await this.#script();
        if (line === undefined) return this.#state.status;
        this.#state.status = await this.#runLine(line);
      }
    } catch (error) {
      if (error instanceof Exit) return error.exitCode;
      throw error;
    } finally {
      this.#end();
      void typing;
    }
  }

  #prompt(): string {
    const status = this.#state.status === 0 ? "" : `${this.#state.status}|`;
    return `${status}${this.#deps.device.properties.get("ro.product.device")}:${this.#state.cwd} ${this.#state.files.who.uid === 0 ? "#" : "$"} `;
  }

  /** Reads lines until they are a complete script. Undefined at the end of input. */
  async #script(): Promise<string | undefined> {
    let source = "";
    for (;;) {
      const line = await this.#nextLine();
      if (line === undefined) return source === "" ? undefined : source;
      source += line;
      try {
        parseScript(source);
        return source;
      } catch (error) {
        if (!(error instanceof ScriptError) || !error.unfinished) return source;
      }
      source += "\n";
      await this.#request.stdout.write("> ");
    }
  }

  async #runLine(source: string): Promise<number> {
    const input = new Pipe();
    for (const line of this.#lines.splice(0)) if (this.#request.command !== "") await input.write(`${line}\n`);
    this.#foreground = input;
    if (this.#ended) input.end();
    this.#interrupt = new AbortController();
    const interrupt = this.#interrupt.signal;
    const signal = AbortSignal.any([this.#signal, interrupt]);
    const interpreter = new Interpreter({ ...this.#deps, signal });
    const stdin: ByteSource = input;
    try {
      return await interpreter.run(source, this.#state, { stdin, stdout: this.#out, stderr: this.#out });
    } catch (error) {
      if (interrupt.aborted) return INTERRUPTED_STATUS;
      throw error;
    } finally {
      this.#foreground = undefined;
      input.break();
    }
  }

  async #nextLine(): Promise<string | undefined> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#ended) return undefined;
      await this.#changed.promise;
    }
  }

  /** Reads keys until the host closes its input. */
  async #type(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#request.stdin) {
      const keys = decoder.decode(chunk, { stream: true });
      for (let at = 0; at < keys.length;) {
        const sequence = keys.startsWith("\x1b[", at) ? /^.\[[0-9;]*[A-Za-z~]/s.exec(keys.slice(at)) : null;
        await (sequence ? this.#arrow(sequence[0]) : this.#key(keys[at]!));
        at += sequence?.[0].length ?? 1;
      }
    }
    this.#end();
  }

  async #key(key: string): Promise<void> {
    const { stdout } = this.#request;
    if (key === INTERRUPT) {
      this.#line = "";
      await stdout.write("^C\r\n");
      if (this.#foreground) this.#stopForeground(this.#foreground);
      else this.#enter("");
    } else if (key === END) {
      if (this.#line !== "") return;
      if (this.#foreground) this.#foreground.end();
      else this.#end();
    } else if (key === "\r" || key === "\n") {
      await stdout.write("\r\n");
      this.#enter(this.#line);
      this.#line = "";
    } else if (key === "\x7f" || key === "\b") {
      if (this.#line === "") return;
      this.#line = this.#line.slice(0, -1);
      await stdout.write("\b \b");
    } else if (key === "\x15") {
      await this.#replace("");
    } else if (key >= " " || key === "\t") {
      if (this.#line.length >= MAX_LINE) return;
      this.#line += key;
      await stdout.write(key);
    }
  }

  async #arrow(sequence: string): Promise<void> {
    const step = sequence.endsWith("A") ? -1 : sequence.endsWith("B") ? 1 : 0;
    if (step === 0 || this.#foreground) return;
    this.#recalled = Math.min(this.#history.length, Math.max(0, this.#recalled + step));
    await this.#replace(this.#history[this.#recalled] ?? "");
  }

  async #replace(line: string): Promise<void> {
    await this.#request.stdout.write("\b \b".repeat(this.#line.length) + line);
    this.#line = line;
  }

  #enter(line: string): void {
    if (this.#foreground) {
      void this.#foreground.write(`${line}\n`).catch(() => undefined);
      return;
    }
    if (line !== "") this.#history.push(line);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.#recalled = this.#history.length;
    this.#lines.push(line);
    this.#wake();
  }

  /** Interrupts the running command, even if it waits for input or time. */
  #stopForeground(input: Pipe): void {
    this.#interrupt.abort(new Error("interrupted"));
    input.break();
  }

  #end(): void {
    this.#ended = true;
    this.#foreground?.end();
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
