import type { ByteSink } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import { FileError } from "../files/file-error.ts";
import type { FileWriter } from "../files/file-writer.ts";
import { absolute } from "../files/path.ts";
import type { CommandTable } from "./command-table.ts";
import { expandText, expandWord } from "./expand.ts";
import type { FairTurns } from "./fair-turns.ts";
import { type Invocation, UsageError } from "./invocation.ts";
import { Exit, LoopJump } from "./jumps.ts";
import { BrokenPipe, type ByteSource, emptySource, Pipe } from "./pipe.ts";
import { parseScript } from "./parser.ts";
import { redirect, RedirectError, type Streams } from "./redirect.ts";
import { type Node, type Pipeline, type Script, ScriptError } from "./script.ts";
import { forkState, setVariable, type ShellState } from "./shell-state.ts";
import { budgetedSink, budgetedSource } from "./budgeted-streams.ts";
import { Killed, KILLED_STATUS, WorkBudget, type WorkLimits } from "./work-budget.ts";

const BROKEN_PIPE_STATUS = 141;
const MAX_CAPTURE_BYTES = 1024 * 1024;
const MAX_RUN_DEPTH = 100;
const MAX_SOURCES = 50;

export interface InterpreterOptions {
  device: SimulatedDevice;
  commands: CommandTable;
  /** Aborts when nobody waits for the script any more. */
  signal: AbortSignal;
  /** What the script may use of the process, and whose turns it takes; for tests. */
  limits?: WorkLimits | undefined;
  turns?: FairTurns | undefined;
}

/** Runs one script of a shell session. */
export class Interpreter {
  readonly #device: SimulatedDevice;
  readonly #commands: CommandTable;
  readonly #budget: WorkBudget;
  /** How deeply scripts are nested by `eval` and `sh`. */
  #sources = 0;

  constructor({ device, commands, signal, limits, turns }: InterpreterOptions) {
    this.#device = device;
    this.#commands = commands;
    this.#budget = new WorkBudget({ owner: device, signal, limits, turns });
  }

  /**
   * Runs a script, or without one the script on the input. What the shell refuses is reported on stderr, and so is that the script was
   * killed for using too much; the status is then 137. Throws `Exit`, and the signal's reason when it aborts.
   */
  async run(source: string | undefined, state: ShellState, streams: Streams): Promise<number> {
    try {
      return await (source === undefined ? this.#runInput(state, streams) : this.#runSource(source, state, streams));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await streams.stderr.write(`${error.message}\n`);
      return KILLED_STATUS;
    }
  }

  async #runSource(source: string, state: ShellState, streams: Streams): Promise<number> {
    this.#sources++;
    try {
      if (this.#sources > MAX_SOURCES) throw new ScriptError("nested too deeply");
      return await this.#runScript(parseScript(source), state, streams);
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      await streams.stderr.write(`/system/bin/sh: ${error.message}\n`);
      return (state.status = 1);
    } finally {
      this.#sources--;
    }
  }

  async #runInput(state: ShellState, streams: Streams): Promise<number> {
    try {
      return await this.#runSource(await textOf(streams.stdin), state, { ...streams, stdin: emptySource });
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      await streams.stderr.write(`/system/bin/sh: ${error.message}\n`);
      return 1;
    }
  }

  async #runScript(script: Script, state: ShellState, streams: Streams): Promise<number> {
    for (const { when, pipeline } of script) {
      this.#budget.signal.throwIfAborted();
      if (when === "success" && state.status !== 0) continue;
      if (when === "failure" && state.status === 0) continue;
      const code = await this.#pipeline(pipeline, state, streams);
      state.status = pipeline.negated ? Number(code === 0) : code;
    }
    return state.status;
  }

  async #pipeline({ stages }: Pipeline, state: ShellState, streams: Streams): Promise<number> {
    if (stages.length === 1) return this.#node(stages[0]!, state, streams);
    const pipes = stages.slice(1).map(() => new Pipe());
    const codes = await Promise.all(
      stages.map(async (stage, at) => {
        const [before, after] = [pipes[at - 1], pipes[at]];
        try {
          return await this.#node(stage, forkState(state), {
            stdin: before ?? streams.stdin,
            stdout: after ?? streams.stdout,
            stderr: streams.stderr,
          });
        } catch (error) {
          if (error instanceof Exit) return error.exitCode;
          throw error;
        } finally {
          before?.break();
          after?.end();
        }
      }),
    );
    return codes.at(-1)!;
  }

  async #node(node: Node, state: ShellState, streams: Streams): Promise<number> {
    const opened: FileWriter[] = [];
    try {
      const redirected = await redirect(node.redirects, streams, {
        files: state.files,
        cwd: state.cwd,
        expand: (target) => expandText(target, state, this.#capture(state, streams)),
        opened,
      });
      return await this.#body(node, state, redirected);
    } catch (error) {
      if (error instanceof BrokenPipe) return BROKEN_PIPE_STATUS;
      if (!(error instanceof RedirectError || error instanceof ScriptError)) throw error;
      await streams.stderr.write(`/system/bin/sh: ${error.message}\n`);
      return 1;
    } finally {
      for (const writer of opened) writer.close();
    }
  }

  async #body(node: Node, state: ShellState, streams: Streams): Promise<number> {
    switch (node.kind) {
      case "simple":
        return this.#simple(node, state, streams);
      case "group":
        return node.subshell ? this.#subshell(node.body, state, streams) : this.#runScript(node.body, state, streams);
      case "if":
        for (const { test, body } of node.branches)
          if ((await this.#runScript(test, state, streams)) === 0) return this.#fresh(body, state, streams);
        return this.#fresh(node.otherwise, state, streams);
      case "loop": {
        let code = 0;
        await this.#loop(async () => {
          if (((await this.#runScript(node.test, state, streams)) === 0) === node.until) return false;
          code = await this.#fresh(node.body, state, streams);
          return true;
        });
        return code;
      }
      default: {
        const values: string[] = [];
        for (const word of node.words) values.push(...(await expandWord(word, state, this.#capture(state, streams))));
        let code = 0;
        await this.#loop(async () => {
          const value = values.shift();
          if (value === undefined) return false;
          setVariable(state, node.name, value);
          code = await this.#fresh(node.body, state, streams);
          return true;
        });
        return code;
      }
    }
  }

  /** Runs `turn` until it returns false or a `break` leaves the loop. */
  async #loop(turn: () => Promise<boolean>): Promise<void> {
    for (;;) {
      await this.#budget.spend();
      try {
        if (!(await turn())) return;
      } catch (error) {
        if (!(error instanceof LoopJump)) throw error;
        if (--error.levels > 0) throw error;
        if (error.kind === "break") return;
      }
    }
  }

  #fresh(script: Script, state: ShellState, streams: Streams): Promise<number> {
    state.status = 0;
    return this.#runScript(script, state, streams);
  }

  async #subshell(script: Script, state: ShellState, streams: Streams): Promise<number> {
    try {
      return await this.#runScript(script, forkState(state), streams);
    } catch (error) {
      if (error instanceof Exit) return error.exitCode;
      throw error;
    }
  }

  #capture(state: ShellState, streams: Streams) {
    return async (script: Script): Promise<string> => {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      const stdout: ByteSink = {
        write: async (data) => {
          const chunk = typeof data === "string" ? Buffer.from(data) : data.slice();
          if ((bytes += chunk.length) > MAX_CAPTURE_BYTES) throw new BrokenPipe();
          chunks.push(chunk);
        },
      };
      state.status = await this.#subshell(script, state, { ...streams, stdout });
      return Buffer.concat(chunks).toString("utf8");
    };
  }

  async #simple(node: Extract<Node, { kind: "simple" }>, state: ShellState, streams: Streams): Promise<number> {
    const capture = this.#capture(state, streams);
    const argv: string[] = [];
    state.status = node.words.length === 0 ? 0 : state.status;
    for (const word of node.words) argv.push(...(await expandWord(word, state, capture)));
    const values: [string, string][] = [];
    for (const { name, value } of node.assignments) values.push([name, await expandText(value, state, capture)]);
    if (argv.length === 0) {
      for (const [name, value] of values) setVariable(state, name, value);
      return node.words.length + values.length === 0 ? 0 : state.status;
    }
    // Assignments before a command are in its environment, and gone after it.
    const saved = values.map(([name]) => [name, state.variables.get(name)] as const);
    const unexported = values.map(([name]) => name).filter((name) => !state.exported.has(name));
    for (const [name, value] of values) {
      setVariable(state, name, value);
      state.exported.add(name);
    }
    try {
      return await this.#run(argv, state, streams, 0);
    } finally {
      for (const [name, value] of saved)
        if (value === undefined) state.variables.delete(name);
        else state.variables.set(name, value);
      for (const name of unexported) state.exported.delete(name);
    }
  }

  async #run(argv: readonly string[], state: ShellState, streams: Streams, depth: number): Promise<number> {
    const [name = "", ...args] = argv;
    if (depth > MAX_RUN_DEPTH) throw new ScriptError("too many commands within commands");
    await this.#budget.spend();
    if (name === "break" || name === "continue") throw new LoopJump(name, Number(args[0] ?? 1) || 1);
    if (name === "exit") throw new Exit(Number(args[0] ?? state.status) & 0xff);
    if (name === "exec") {
      if (args.length === 0) return 0;
      throw new Exit(await this.#run(args, state, streams, depth + 1));
    }
    if (name === "eval") return this.#runSource(args.join(" "), state, streams);
    if (name === "sh") return this.#sh(args, state, streams);
    const command = this.#commands.find(name, state);
    if (!command) {
      const file = name.includes("/") && state.files.exists(absolute(state.cwd, name));
      await streams.stderr.write(
        `/system/bin/sh: ${name}: ${file ? "can't execute: Permission denied" : "inaccessible or not found"}\n`,
      );
      return file ? 126 : 127;
    }
    const call: Invocation = {
      name,
      args,
      stdin: budgetedSource(streams.stdin, this.#budget),
      stdout: budgetedSink(streams.stdout, this.#budget),
      stderr: budgetedSink(streams.stderr, this.#budget),
      device: this.#device,
      shell: state,
      signal: this.#budget.signal,
      spend: (bytes) => this.#budget.spend(bytes),
      has: (other) => this.#commands.find(other, state) !== undefined,
      run: (inner, other) => this.#run(inner, state, { ...streams, ...other }, depth + 1),
    };
    try {
      return await command(call);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof FileError)) throw error;
      await streams.stderr.write(`${name}: ${error.message}\n`);
      return error instanceof UsageError ? error.exitCode : 1;
    }
  }

  /** `sh -c SCRIPT` and `sh FILE`. */
  async #sh(args: string[], state: ShellState, streams: Streams): Promise<number> {
    const inner = { ...forkState(state), status: 0 };
    const source =
      args[0] === "-c"
        ? (args[1] ?? "")
        : args[0] === undefined
          ? await textOf(streams.stdin)
          : new TextDecoder().decode(state.files.read(absolute(state.cwd, args[0])));
    try {
      return await this.#runSource(source, inner, args[0] === undefined ? { ...streams, stdin: emptySource } : streams);
    } catch (error) {
      if (error instanceof Exit) return error.exitCode;
      throw error;
    }
  }
}

/** Reads a whole script from an input. Throws `ScriptError` if it is too long. */
async function textOf(source: ByteSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    if ((bytes += chunk.length) > MAX_CAPTURE_BYTES) throw new ScriptError("script too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
