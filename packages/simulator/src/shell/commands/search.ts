import { patternOf } from "../glob.ts";
import { FileError } from "../../files/file-error.ts";
import type { Node } from "../../files/node.ts";
import { baseName, joinPath } from "../../files/path.ts";
import {
  type Commands,
  forEachPath,
  type Invocation,
  linesOf,
  options,
  readFile,
  readInput,
  UsageError,
} from "../invocation.ts";
import { withTimeLimit } from "../time-limit.ts";

const MAX_PATTERN = 1024;
/** What `sed -i` holds until it has read all. */
const MAX_CHANGED = 16 * 1024 * 1024;

/** What `match` says of each line and its number. An expression that takes too long is refused: nothing may hold up the process. */
async function* matchLines<Result>(
  source: AsyncIterable<Uint8Array>,
  match: (line: string, at: number) => Result,
): AsyncGenerator<Result> {
  let before = 0;
  for await (const lines of linesOf(source)) {
    const results = withTimeLimit(() => lines.map((line, index) => match(line, before + index + 1)));
    before += lines.length;
    if (!results) throw new UsageError("this expression takes too long", 2);
    yield* results;
  }
}

/** Translates a POSIX expression to JavaScript. In a basic one brackets and `+?|{}` are literal unless escaped. */
function expressionOf(
  source: string,
  { extended, fixed, ignoreCase }: { extended: boolean; fixed: boolean; ignoreCase: boolean },
): RegExp {
  if (source.length > MAX_PATTERN) throw new UsageError("pattern too long");
  // The engine that takes time in proportion to the text has none (see host-main.ts).
  if (!fixed && /\\\d|\(\?/.test(source)) throw new UsageError("back references are not supported", 2);
  let text = source.replaceAll(
    /\[:(\w+):\]/g,
    (all, name: string) =>
      ({ alpha: "A-Za-z", digit: "0-9", alnum: "A-Za-z0-9", space: "\\s", upper: "A-Z", lower: "a-z" })[name] ?? all,
  );
  if (fixed) text = source.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  else if (!extended)
    text = text.replaceAll(
      /\\([(){}|+?])|([(){}|+?])/g,
      (_all, escaped: string | undefined, plain: string | undefined) => escaped ?? `\\${plain}`,
    );
  try {
    return new RegExp(text, ignoreCase ? "i" : "");
  } catch {
    throw new UsageError(`bad regex '${source}'`, 2);
  }
}

export const search: Commands = {
  grep: async (call) => {
    const { flags, values, rest } = options(call, "EFivncqlorRHhwxse:m:");
    const pattern = values.get("e") ?? rest.shift();
    if (pattern === undefined) throw new UsageError("no REGEX", 2);
    const expressions = pattern.split("\n").map((one) => {
      const shaped = expressionOf(one, {
        extended: flags.has("E") || call.name === "egrep",
        fixed: flags.has("F") || call.name === "fgrep",
        ignoreCase: flags.has("i"),
      });
      const wrap = flags.has("x")
        ? `^(?:${shaped.source})$`
        : flags.has("w")
          ? `\\b(?:${shaped.source})\\b`
          : shaped.source;
      return new RegExp(wrap, shaped.flags);
    });
    const recursive = flags.has("r") || flags.has("R");
    const paths = rest.length > 0 ? rest : recursive ? ["."] : ["-"];
    const titled = !flags.has("h") && (flags.has("H") || recursive || paths.length > 1);
    const limit = values.has("m") ? Number(values.get("m")) : Infinity;
    let found = false;
    const everywhere = expressions.map((expression) => new RegExp(expression.source, `${expression.flags}g`));
    /** What is shown of a line, or undefined if it is not wanted. */
    const hitsOf = (line: string): string[] | undefined => {
      if (expressions.some((expression) => expression.test(line)) === flags.has("v")) return undefined;
      if (!flags.has("o")) return [line];
      return everywhere.flatMap((expression) => [...line.matchAll(expression)].flatMap((match) => match[0] || []));
    };
    const one = async (source: AsyncIterable<Uint8Array>, shown: string): Promise<void> => {
      const name = titled ? `${shown}:` : "";
      let [count, at] = [0, 0];
      for await (const hits of matchLines(source, hitsOf)) {
        at++;
        if (!hits) continue;
        found = true;
        count++;
        if (flags.has("q")) return;
        if (flags.has("l")) return call.stdout.write(`${shown}\n`);
        if (!flags.has("c"))
          for (const part of hits) await call.stdout.write(`${name}${flags.has("n") ? `${at}:` : ""}${part}\n`);
        if (count >= limit) break;
      }
      if (flags.has("c")) await call.stdout.write(`${name}${count}\n`);
    };
    const visit = async (path: string, shown: string): Promise<void> => {
      await call.spend();
      if (recursive && call.shell.files.stat(path).kind === "directory") {
        for (const [name, child] of call.shell.files.list(path))
          if (child.kind !== "link" && child.kind !== "char") await visit(joinPath(path, name), joinPath(shown, name));
      } else await one(readFile(call, path), shown);
    };
    let failed = 0;
    for (const path of paths) {
      if (path === "-") await one(readInput(call), "(standard input)");
      else failed = Math.max(failed, await forEachPath(call, [path], visit));
    }
    return found ? 0 : failed ? 2 : 1;
  },

  sed: async (call) => {
    const { flags, values, rest } = options(call, "nEre:i");
    const script = values.get("e") ?? rest.shift();
    if (script === undefined) throw new UsageError("no pattern");
    const edits = script
      .split(/;|\n/)
      .filter((part) => part.trim() !== "")
      .map((part) => edit(part.trim(), flags.has("E") || flags.has("r")));
    /** The result for a line. */
    const change = (original: string, at: number): string => {
      let out = "";
      let line: string | undefined = original;
      for (const apply of edits) {
        const result: { line: string | undefined; print: boolean } =
          line === undefined ? { line, print: false } : apply(line, at);
        line = result.line;
        if (result.print && line !== undefined) out += `${line}\n`;
      }
      return line !== undefined && !flags.has("n") ? `${out}${line}\n` : out;
    };
    const write = async (source: AsyncIterable<Uint8Array>, to: (out: string) => Promise<void> | void) => {
      for await (const out of matchLines(source, change)) if (out !== "") await to(out);
    };
    if (rest.length === 0) {
      await write(readInput(call), (out) => call.stdout.write(out));
      return 0;
    }
    return forEachPath(call, rest, async (path, shown) => {
      if (!flags.has("i")) return write(readFile(call, shown), (out) => call.stdout.write(out));
      let changed = "";
      await write(readFile(call, shown), (out) => {
        if ((changed += out).length > MAX_CHANGED) throw new UsageError("input too large");
      });
      call.shell.files.write(path, changed);
    });
  },

  find: async (call) => {
    const firstTest = call.args.findIndex((arg) => /^[-!(]/.test(arg));
    const paths = call.args.slice(0, firstTest < 0 ? undefined : firstTest);
    const tests = findTests(call, firstTest < 0 ? [] : call.args.slice(firstTest));
    const visit = async (path: string, shown: string, depth: number): Promise<void> => {
      await call.spend();
      const node = call.shell.files.lstat(path);
      if (depth >= tests.minDepth) await tests.apply(node, shown);
      if (node.kind !== "directory" || depth >= tests.maxDepth) return;
      try {
        for (const [name] of call.shell.files.list(path))
          await visit(joinPath(path, name), joinPath(shown, name), depth + 1);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        await call.stderr.write(`find: ${shown}: ${error.message}\n`);
        tests.failed = true;
      }
    };
    const code = await forEachPath(call, paths.length > 0 ? paths : ["."], (path, shown) => visit(path, shown, 0));
    return Math.max(code, Number(tests.failed));
  },
};

type Edit = (line: string, at: number) => { line: string | undefined; print: boolean };

/** `[N|/re/|$]s/re/to/gip`, `d` or `p`. */
function edit(text: string, extended: boolean): Edit {
  const address = /^(\d+|\/(?:[^/\\]|\\.)*\/)?\s*(.*)$/s.exec(text)!;
  const expression = address[1]?.startsWith("/")
    ? expressionOf(address[1].slice(1, -1), { extended, fixed: false, ignoreCase: false })
    : undefined;
  const applies = (line: string, at: number) =>
    address[1] === undefined ? true : expression ? expression.test(line) : at === Number(address[1]);
  const action = address[2]!;
  if (action === "d") return (line, at) => ({ line: applies(line, at) ? undefined : line, print: false });
  if (action === "p") return (line, at) => ({ line, print: applies(line, at) });
  const mark = action[1] ?? "";
  const parts =
    action.startsWith("s") && mark !== ""
      ? action.slice(2).split(new RegExp(`(?<!\\\\)${mark.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")}`))
      : [];
  const [from, to, options = ""] = parts;
  if (from === undefined || to === undefined || parts.length !== 3 || !/^[gip]*$/i.test(options))
    throw new UsageError(`bad pattern '${text}'`);
  const shaped = expressionOf(from.replaceAll(`\\${mark}`, mark), {
    extended,
    fixed: false,
    ignoreCase: /i/i.test(options),
  });
  const global = new RegExp(shaped.source, shaped.flags + (options.includes("g") ? "g" : ""));
  const replacement = to.replaceAll(`\\${mark}`, mark);
  return (line, at) => {
    if (!applies(line, at)) return { line, print: false };
    const changed = line.replace(global, (...groups: unknown[]) =>
      replacement.replaceAll(/\\(\d|n|t|&|\\)|&/g, (all, escape: string | undefined) => {
        if (escape === undefined) return String(groups[0]);
        if (/\d/.test(escape)) return typeof groups[Number(escape)] === "string" ? String(groups[Number(escape)]) : "";
        return { n: "\n", t: "\t", "&": "&", "\\": "\\" }[escape] ?? all;
      }),
    );
    return { line: changed, print: options.includes("p") && changed !== line };
  };
}

function findTests(call: Invocation, args: string[]) {
  const checks: ((node: Node, shown: string) => boolean | Promise<boolean>)[] = [];
  const result = {
    minDepth: 0,
    maxDepth: Infinity,
    failed: false,
    apply: async (_node: Node, _shown: string) => undefined as void,
  };
  let acts = false;
  let negate = false;
  const add = (check: (node: Node, shown: string) => boolean | Promise<boolean>) => {
    const flip = negate;
    negate = false;
    checks.push(async (node, shown) => (await check(node, shown)) !== flip);
  };
  const value = (name: string) => {
    const next = args.shift();
    if (next === undefined) throw new UsageError(`'${name}' needs 1 arg`);
    return next;
  };
  while (args.length > 0) {
    const name = args.shift()!;
    if (name === "!" || name === "-not") negate = true;
    else if (name === "-name" || name === "-iname") {
      const glob = value(name);
      const pattern = patternOf(name === "-iname" ? glob.toLowerCase() : glob);
      add((_node, shown) => pattern.test(name === "-iname" ? baseName(shown).toLowerCase() : baseName(shown)));
    } else if (name === "-path") {
      const pattern = patternOf(value(name));
      add((_node, shown) => pattern.test(shown));
    } else if (name === "-type") {
      const kind = { f: "file", d: "directory", l: "link", c: "char" }[value(name)];
      if (!kind) throw new UsageError("bad -type");
      add((node) => node.kind === kind);
    } else if (name === "-size") {
      const match = /^([+-]?)(\d+)([ckM]?)$/.exec(value(name));
      if (!match) throw new UsageError("bad -size");
      const unit = { "": 512, c: 1, k: 1024, M: 1024 ** 2 }[match[3] as "" | "c" | "k" | "M"];
      add((node) => {
        const size = Math.ceil(call.shell.files.size(node) / unit);
        return match[1] === "+"
          ? size > Number(match[2])
          : match[1] === "-"
            ? size < Number(match[2])
            : size === Number(match[2]);
      });
    } else if (name === "-maxdepth") result.maxDepth = Number(value(name));
    else if (name === "-mindepth") result.minDepth = Number(value(name));
    else if (name === "-empty")
      add((node) => (node.kind === "directory" ? node.children.size === 0 : call.shell.files.size(node) === 0));
    else if (name === "-print" || name === "-print0") {
      acts = true;
      add(async (_node, shown) => {
        await call.stdout.write(shown + (name === "-print" ? "\n" : "\0"));
        return true;
      });
    } else if (name === "-delete") {
      acts = true;
      result.minDepth = 0;
      throw new UsageError("-delete is not supported; use -exec rm");
    } else if (name === "-exec") {
      acts = true;
      const command: string[] = [];
      for (let word = value(name); word !== ";" && word !== "+"; word = value(name)) command.push(word);
      add(async (_node, shown) => (await call.run(command.map((word) => word.replaceAll("{}", shown)))) === 0);
    } else throw new UsageError(`bad option '${name}'`);
  }
  result.apply = async (node, shown) => {
    for (const check of checks) if (!(await check(node, shown))) return;
    if (!acts) await call.stdout.write(`${shown}\n`);
  };
  return result;
}
