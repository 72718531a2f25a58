import type { LogLevel, LogLine } from "../../device/log-buffer.ts";
import { type Commands, UsageError } from "../invocation.ts";
import { withTimeLimit } from "../time-limit.ts";

const levels = "VDIWEF";
const FORMATS = [
  "brief",
  "long",
  "process",
  "raw",
  "tag",
  "thread",
  "threadtime",
  "time",
  "color",
  "epoch",
  "year",
  "UTC",
  "descriptive",
] as const;

/** A line as `logcat -v FORMAT` prints it, in UTC as the device's clock is. */
function shown({ timeMs, pid, tid, level, tag, message }: LogLine, format: string): string {
  const time = new Date(timeMs).toISOString().slice(5, 23).replace("T", " ");
  const [p, t] = [String(pid).padStart(5), String(tid).padStart(5)];
  const line = (prefix: string) =>
    message
      .split("\n")
      .map((part) => `${prefix}${part}\n`)
      .join("");
  if (format === "brief") return line(`${level}/${tag.padEnd(8)}(${p}): `);
  if (format === "process")
    return message
      .split("\n")
      .map((part) => `${level}(${p}) ${part}  (${tag})\n`)
      .join("");
  if (format === "tag") return line(`${level}/${tag.padEnd(8)}: `);
  if (format === "thread") return line(`${level}(${p}:${t}) `);
  if (format === "raw") return line("");
  if (format === "time") return line(`${time} ${level}/${tag.padEnd(8)}(${p}): `);
  if (format === "long") return `[ ${time} ${p}:${t} ${level}/${tag.padEnd(8)} ]\n${message}\n\n`;
  return line(`${time} ${p} ${t} ${level} ${tag.padEnd(8)}: `);
}

interface Filter {
  tags: Map<string, number>;
  rest: number;
}

/** `Tag:I *:S`; a lone tag means all of it, and `-s` silences what is not named. */
function filterOf(words: readonly string[], silent: boolean): Filter {
  const tags = new Map<string, number>();
  let rest = silent ? levels.length : 0;
  for (const word of words) {
    const [tag = "", level = tag === "*" ? "D" : "V"] = word.split(":");
    const at = level.toUpperCase() === "S" ? levels.length : levels.indexOf(level.toUpperCase());
    if (at < 0) throw new UsageError(`Invalid filter expression '${word}'`);
    if (tag === "*") rest = at;
    else tags.set(tag, at);
  }
  return { tags, rest };
}

const passes = (filter: Filter, line: { tag: string; level: LogLevel }): boolean =>
  levels.indexOf(line.level) >= (filter.tags.get(line.tag) ?? filter.rest);

export const logcat: Commands = {
  logcat: async (call) => {
    let [dump, clear, silent, size] = [false, false, false, false];
    let count: number | undefined;
    let format = "threadtime";
    let since: number | undefined;
    let pid: number | undefined;
    let expression: RegExp | undefined;
    const words: string[] = [];
    const args = call.args.flatMap((arg) =>
      /^--\w[\w-]*=/.test(arg) ? [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)] : [arg],
    );
    const value = (name: string) => {
      const next = args.shift();
      if (next === undefined) throw new UsageError(`option requires an argument -- '${name}'`);
      return next;
    };
    while (args.length > 0) {
      const arg = args.shift()!;
      if (arg === "-d") dump = true;
      else if (arg === "-c" || arg === "--clear") clear = true;
      else if (arg === "-s") silent = true;
      else if (arg === "-g") size = true;
      else if (/^-v./.test(arg)) args.unshift("-v", arg.slice(2));
      else if (/^-[tT]./.test(arg)) args.unshift(arg.slice(0, 2), arg.slice(2));
      else if (arg === "-v" || arg === "--format") {
        const wanted = value(arg);
        if (!FORMATS.some((known) => known === wanted)) throw new UsageError(`Invalid parameter "${wanted}" to -v`);
        format = wanted;
      } else if (arg === "-t" || arg === "-T") {
        if (arg === "-t") dump = true;
        const text = value(arg);
        if (/^\d+$/.test(text)) count = Number(text);
        else since = timeOf(text, call.device.clock.now());
      } else if (arg === "-b" || arg === "--buffer") value(arg);
      else if (arg === "--pid") pid = Number(value(arg));
      else if (arg === "-e" || arg === "--regex") expression = new RegExp(value(arg).slice(0, 512));
      else if (arg.startsWith("-")) throw new UsageError(`Unknown option '${arg}'`);
      else words.push(arg);
    }
    const { logs } = call.device;
    if (clear) {
      logs.clear();
      return 0;
    }
    if (size) {
      await call.stdout.write("main: ring buffer is 256 KiB, max entry is 5120 B, max payload is 4068 B\n");
      return 0;
    }
    const filter = filterOf(words, silent);
    const wanted = (line: LogLine) =>
      passes(filter, line) &&
      (pid === undefined || line.pid === pid) &&
      (since === undefined || line.timeMs >= since) &&
      (!expression || expression.test(line.message));
    const chosen = (lines: LogLine[]): LogLine[] => {
      const found = expression ? withTimeLimit(() => lines.filter(wanted)) : lines.filter(wanted);
      if (!found) throw new UsageError("this expression takes too long");
      return found;
    };
    const print = async (lines: LogLine[]) => {
      const text = lines.map((line) => shown(line, format)).join("");
      if (text !== "") await call.stdout.write(text);
    };
    let { lines, position } = logs.since(0);
    let seen = chosen(lines);
    if (count !== undefined) seen = seen.slice(-count);
    await call.stdout.write("--------- beginning of main\n");
    await print(seen);
    if (dump) return 0;
    for (;;) {
      await logs.more(position, call.signal);
      await call.spend();
      ({ lines, position } = logs.since(position));
      await print(chosen(lines));
    }
  },

  log: async (call) => {
    const args = [...call.args];
    let [tag, level] = ["log", "I" as LogLevel];
    while (/^-[pt]$/.test(args[0] ?? "")) {
      const name = args.shift();
      const value = args.shift() ?? "";
      if (name === "-t") tag = value;
      else if (value.length === 1 && levels.includes(value.toUpperCase())) level = value.toUpperCase() as LogLevel;
      else throw new UsageError(`bad -p '${value}'`);
    }
    call.device.log(level, tag, args.join(" "), call.shell.pid);
    return 0;
  },
};

/** `-t '03-02 09:00:00.000'`, of this year when none is named, or seconds since 1970. */
function timeOf(text: string, now: number): number {
  if (/^\d+\.\d+$/.test(text)) return Number(text) * 1000;
  const dated = /^\d{4}-/.test(text) ? text : `${new Date(now).getUTCFullYear()}-${text}`;
  const time = Date.parse(`${dated.replace(" ", "T")}Z`);
  if (Number.isNaN(time)) throw new UsageError(`-t "${text}" not in time format`);
  return time;
}
