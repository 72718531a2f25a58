import { FileError } from "../../files/file-error.ts";
import { type Commands, numberFrom, options, pathOf, readAll, UsageError } from "../invocation.ts";
import { testExpression } from "./test-expression.ts";

const escapes: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
  "0": "\0",
};
const unescape = (text: string): string =>
  text.replaceAll(/\\([abefnrtv\\0])/g, (_all, letter: string) => escapes[letter]!);

export const basics: Commands = {
  ":": () => 0,
  true: () => 0,
  false: () => 1,

  echo: async (call) => {
    let args = call.args;
    let newline = true;
    // mksh's echo interprets backslash sequences unless -E is given.
    let escaped = true;
    while (/^-[neE]+$/.test(args[0] ?? "")) {
      if (args[0]!.includes("n")) newline = false;
      if (args[0]!.includes("e")) escaped = true;
      if (args[0]!.includes("E")) escaped = false;
      args = args.slice(1);
    }
    const text = args.join(" ");
    await call.stdout.write((escaped ? unescape(text) : text) + (newline ? "\n" : ""));
    return 0;
  },

  printf: async (call) => {
    const [format, ...values] = call.args;
    if (format === undefined) throw new UsageError("needs 1 argument");
    const shape = unescape(format).replaceAll(/%(-?0?)(\d{4,})/g, "%$1999");
    let text = "";
    do {
      text += shape.replaceAll(/%(%|-?\d*)([sdxc]?)/g, (all, width: string, kind: string) => {
        if (width === "%") return "%";
        if (kind === "") return all;
        const value = values.shift() ?? (kind === "s" ? "" : "0");
        const shown =
          kind === "x" ? Number(value).toString(16) : kind === "d" ? String(Math.trunc(Number(value)) || 0) : value;
        return width.startsWith("-")
          ? shown.padEnd(Number(width.slice(1)))
          : shown.padStart(Number(width || 0), width.startsWith("0") ? "0" : " ");
      });
    } while (values.length > 0 && /%-?\d*[sdxc]/.test(shape));
    await call.stdout.write(text);
    return 0;
  },

  cd: async (call) => {
    const goal = call.args[0] ?? call.shell.variables.get("HOME") ?? "/";
    const path = pathOf(call, goal);
    try {
      if (call.shell.files.stat(path).kind !== "directory") throw new FileError("ENOTDIR");
      // The shell remembers the path as it was typed, links included.
      const names: string[] = [];
      for (const name of path.split("/"))
        if (name === "..") names.pop();
        else if (name !== "" && name !== ".") names.push(name);
      call.shell.cwd = `/${names.join("/")}`;
      return 0;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await call.stderr.write(`/system/bin/sh: cd: ${path}: ${error.message}\n`);
      return 2;
    }
  },

  pwd: async (call) => {
    await call.stdout.write(`${call.shell.cwd}\n`);
    return 0;
  },

  export: (call) => {
    for (const arg of call.args) {
      const at = arg.indexOf("=");
      const name = at < 0 ? arg : arg.slice(0, at);
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError(`${name}: is not an identifier`);
      if (at >= 0) call.shell.variables.set(name, arg.slice(at + 1));
      call.shell.exported.add(name);
    }
    return 0;
  },

  unset: (call) => {
    for (const name of call.args) {
      call.shell.variables.delete(name);
      call.shell.exported.delete(name);
    }
    return 0;
  },

  set: () => 0,

  read: async (call) => {
    const names = call.args.filter((arg) => !arg.startsWith("-"));
    let line = "";
    // A real shell reads byte by byte and leaves the rest to the next command; our input comes in chunks.
    const chunk = await call.stdin.read();
    if (!chunk) return 1;
    line = new TextDecoder().decode(chunk).split("\n")[0]!;
    const words = line.trim().split(/\s+/);
    for (const [at, name] of names.entries())
      call.shell.variables.set(name, at === names.length - 1 ? words.slice(at).join(" ") : (words[at] ?? ""));
    return 0;
  },

  env: async (call) => {
    const args = [...call.args];
    const before = new Map(call.shell.variables);
    try {
      while (/^[A-Za-z_]\w*=/.test(args[0] ?? "")) {
        const [name, ...value] = args.shift()!.split("=");
        call.shell.variables.set(name!, value.join("="));
        call.shell.exported.add(name!);
      }
      if (args.length > 0) return await call.run(args);
      for (const [name, value] of call.shell.variables)
        if (call.shell.exported.has(name)) await call.stdout.write(`${name}=${value}\n`);
      return 0;
    } finally {
      call.shell.variables = before;
    }
  },

  sleep: async (call) => {
    let ms = 0;
    for (const arg of call.args) {
      const match = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(arg);
      if (!match) throw new UsageError(`bad number '${arg}'`);
      ms +=
        Number(match[1]) *
        { "": 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as "" | "s" | "m" | "h" | "d"];
    }
    if (call.args.length === 0) throw new UsageError("Needs 1 argument");
    await call.device.clock.sleep(Math.min(ms, 2 ** 31 - 1), call.signal);
    return 0;
  },

  test: (call) => testExpression(call, call.args),
  "[": async (call) => {
    if (call.args.at(-1) !== "]") {
      await call.stderr.write("/system/bin/sh: [: missing ]\n");
      return 2;
    }
    return testExpression(call, call.args.slice(0, -1));
  },

  seq: async (call) => {
    const numbers = call.args.map(numberFrom);
    const [first, step, last] =
      numbers.length === 1 ? [1, 1, numbers[0]!] : numbers.length === 2 ? [numbers[0]!, 1, numbers[1]!] : numbers;
    if (first === undefined || step === undefined || last === undefined || step === 0)
      throw new UsageError("needs 1 to 3 numbers");
    for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
      await call.stdout.write(`${value}\n`);
    }
    return 0;
  },

  yes: async (call) => {
    const line = `${call.args.join(" ") || "y"}\n`;
    for (;;) await call.stdout.write(line.repeat(512));
  },

  xargs: async (call) => {
    const { values, rest } = options({ args: call.args }, "n:0I:r");
    const words = new TextDecoder()
      .decode((await readAll(call, [])).bytes)
      .split(call.args.includes("-0") ? "\0" : /\s+/)
      .filter((word) => word !== "");
    const command = rest.length > 0 ? rest : ["echo"];
    const replace = values.get("I");
    const size = replace ? 1 : values.has("n") ? Math.max(1, numberFrom(values.get("n")!)) : Math.max(1, words.length);
    let code = 0;
    for (let at = 0; at < words.length; at += size) {
      const part = words.slice(at, at + size);
      const argv = replace ? command.map((word) => word.replaceAll(replace, part[0]!)) : [...command, ...part];
      code = Math.max(code, await call.run(argv));
    }
    return code === 0 ? 0 : 123;
  },
};
