import {
  type Commands,
  inputLines,
  type Invocation,
  numberFrom,
  options,
  readFile,
  readInput,
  UsageError,
  forEachPath,
} from "../invocation.ts";
import { type Row, sortRows } from "../sort-rows.ts";

const MAX_TAIL_BYTES = 8 * 1024 * 1024;
const MAX_SORT_LINES = 500_000;
const MAX_SET = 4096;

/** Each named file, or the input, as one stream of bytes. */
async function eachInput(
  call: Invocation,
  paths: readonly string[],
  act: (source: AsyncIterable<Uint8Array>, shown: string) => Promise<void>,
): Promise<number> {
  if (paths.length === 0) {
    await act(readInput(call), "");
    return 0;
  }
  return forEachPath(call, paths, (_path, shown) =>
    act(shown === "-" ? readInput(call) : readFile(call, shown), shown),
  );
}

/** `head -5` is `head -n 5`. */
const countArgs = (call: Invocation) => ({
  args: call.args.map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg)),
});

/** Fields or characters of `cut`: `1,3-5,7-`. */
function ranges(text: string): (at: number) => boolean {
  const list = text.split(",").map((part) => {
    const match = /^(\d*)(-?)(\d*)$/.exec(part);
    if (!match || part === "" || part === "-") throw new UsageError(`bad range '${part}'`);
    const from = match[1] === "" ? 1 : Number(match[1]);
    return { from, to: match[2] === "" ? from : match[3] === "" ? Infinity : Number(match[3]) };
  });
  return (at) => list.some(({ from, to }) => at >= from && at <= to);
}

/** The characters of a `tr` set, with ranges and escapes expanded. */
function setOf(text: string): string[] {
  const classes: Record<string, string> = {
    upper: "A-Z",
    lower: "a-z",
    digit: "0-9",
    space: " \\t\\n\\r",
    alpha: "A-Za-z",
    alnum: "A-Za-z0-9",
  };
  const plain = text
    .replaceAll(/\[:(\w+):\]/g, (all, name: string) => classes[name] ?? all)
    .replaceAll(/\\([ntr\\])/g, (_all, letter: string) => ({ n: "\n", t: "\t", r: "\r" })[letter] ?? "\\");
  const chars = Array.from(plain);
  const out: string[] = [];
  for (let at = 0; at < chars.length; at++) {
    if (chars[at + 1] === "-" && at + 2 < chars.length) {
      for (
        let code = chars[at]!.codePointAt(0)!;
        code <= chars[at + 2]!.codePointAt(0)! && out.length <= MAX_SET;
        code++
      )
        out.push(String.fromCodePoint(code));
      at += 2;
      if (out.length > MAX_SET) throw new UsageError("set too large");
    } else out.push(chars[at]!);
  }
  return out;
}

export const text: Commands = {
  cat: (call) => {
    const { rest } = options(call, "uetv");
    return eachInput(call, rest, async (source) => {
      for await (const chunk of source) await call.stdout.write(chunk);
    });
  },

  tee: async (call) => {
    const { flags, rest } = options(call, "ai");
    const writers = rest.map((path) =>
      flags.has("a") ? call.shell.files.append(resolve(call, path)) : call.shell.files.create(resolve(call, path)),
    );
    try {
      for await (const chunk of readInput(call)) {
        for (const writer of writers) writer.write(chunk);
        await call.stdout.write(chunk);
      }
    } finally {
      for (const writer of writers) writer.close();
    }
    return 0;
  },

  head: (call) => {
    const { values, rest } = options(countArgs(call), "n:c:qv");
    const bytes = values.get("c");
    const lines = numberFrom(values.get("n") ?? "10");
    return eachInput(call, rest, async (source, shown) => {
      if (rest.length > 1) await call.stdout.write(`==> ${shown} <==\n`);
      let left = bytes === undefined ? lines : numberFrom(bytes);
      if (left <= 0) return;
      for await (const chunk of source) {
        let end = bytes === undefined ? 0 : Math.min(left, chunk.length);
        if (bytes !== undefined) left -= end;
        else for (; end < chunk.length && left > 0; end++) if (chunk[end] === 10) left--;
        await call.stdout.write(chunk.subarray(0, end));
        if (left <= 0) return;
      }
    });
  },

  tail: (call) => {
    const { flags, values, rest } = options(countArgs(call), "n:c:f");
    if (flags.has("f")) throw new UsageError("-f is not supported by this file system");
    return eachInput(call, rest, async (source, shown) => {
      if (rest.length > 1) await call.stdout.write(`==> ${shown} <==\n`);
      const wanted = values.get("c") ?? values.get("n") ?? "10";
      const chunks: Uint8Array[] = [];
      let held = 0;
      for await (const chunk of source) {
        chunks.push(chunk.slice());
        held += chunk.length;
        // Only the end is wanted: what lies far before it need not be buffered.
        while (!wanted.startsWith("+") && held - chunks[0]!.length > MAX_TAIL_BYTES) held -= chunks.shift()!.length;
        if (held > 2 * MAX_TAIL_BYTES) throw new UsageError("input too large");
      }
      const all = Buffer.concat(chunks);
      const count = Math.abs(numberFrom(wanted));
      if (values.has("c"))
        return call.stdout.write(
          wanted.startsWith("+") ? all.subarray(count - 1) : all.subarray(Math.max(0, all.length - count)),
        );
      let at = wanted.startsWith("+") ? 0 : all.length - (all.at(-1) === 10 ? 1 : 0);
      if (wanted.startsWith("+"))
        for (let line = 1; line < count && at < all.length; at++) line += Number(all[at] === 10);
      else for (let line = 0; at > 0; at--) if (all[at - 1] === 10 && ++line === count) break;
      await call.stdout.write(all.subarray(count === 0 ? all.length : at));
    });
  },

  wc: async (call) => {
    const { flags, rest } = options(call, "lwcm");
    const sums = [0, 0, 0];
    const shown = (counts: number[], name: string) => {
      const chosen = counts.filter(
        (_count, at) => flags.size === 0 || flags.has("lwc"[at]!) || (at === 2 && flags.has("m")),
      );
      return `${chosen.join(" ")}${name ? ` ${name}` : ""}\n`;
    };
    const code = await eachInput(call, rest, async (source, name) => {
      const counts = [0, 0, 0];
      let inWord = false;
      for await (const chunk of source)
        for (const byte of chunk) {
          counts[2]!++;
          if (byte === 10) counts[0]!++;
          const space = byte === 32 || (byte >= 9 && byte <= 13);
          if (!space && !inWord) counts[1]!++;
          inWord = !space;
        }
      for (const [at, count] of counts.entries()) sums[at]! += count;
      await call.stdout.write(shown(counts, name));
    });
    if (rest.length > 1) await call.stdout.write(shown(sums, "total"));
    return code;
  },

  sort: async (call) => {
    const { flags, values, rest } = options(call, "rnufk:t:");
    const lines: string[] = [];
    let held = 0;
    for await (const line of inputLines(call, rest)) {
      lines.push(line);
      held += line.length;
      if (lines.length > MAX_SORT_LINES || held > 2 * MAX_TAIL_BYTES) throw new UsageError("input too large");
    }
    const field = values.has("k") ? Number.parseInt(values.get("k")!, 10) - 1 : undefined;
    const separator = values.get("t") ?? /\s+/;
    const rows: Row[] = [];
    for (const line of lines) {
      const part = field === undefined ? line : (line.split(separator)[field] ?? "");
      const key = flags.has("f") ? part.toLowerCase() : part;
      rows.push({ line, key, number: flags.has("n") ? Number.parseFloat(key) || 0 : 0 });
      await call.spend();
    }
    const sorted = await sortRows(rows, () => call.spend());
    if (flags.has("r")) sorted.reverse();
    const unique = flags.has("u") ? sorted.filter(({ key }, at) => at === 0 || key !== sorted[at - 1]!.key) : sorted;
    if (unique.length > 0) await call.stdout.write(`${unique.map(({ line }) => line).join("\n")}\n`);
    return 0;
  },

  uniq: async (call) => {
    const { flags, rest } = options(call, "cdui");
    let held: string | undefined;
    let count = 0;
    const flush = async () => {
      if (held === undefined || (flags.has("d") && count < 2) || (flags.has("u") && count > 1)) return;
      await call.stdout.write(`${flags.has("c") ? `${String(count).padStart(7)} ` : ""}${held}\n`);
    };
    for await (const line of inputLines(call, rest)) {
      if (line === held) count++;
      else {
        await flush();
        [held, count] = [line, 1];
      }
    }
    await flush();
    return 0;
  },

  tr: async (call) => {
    const { flags, rest } = options(call, "dscC");
    const [from, to] = rest;
    if (from === undefined || (to === undefined && !flags.has("d") && !flags.has("s")))
      throw new UsageError("Needs 2 arguments");
    const source = new Map(setOf(from).map((char, index) => [char, index]));
    const target = to === undefined ? [] : setOf(to);
    const complement = flags.has("c") || flags.has("C");
    const has = (char: string) => source.has(char) !== complement;
    const squeezes = (char: string) => flags.has("s") && (target.length > 0 ? target.includes(char) : has(char));
    const input = new TextDecoder();
    let last = "";
    for await (const chunk of readInput(call)) {
      let out = "";
      for (const char of input.decode(chunk, { stream: true })) {
        if (has(char) && flags.has("d")) continue;
        const changed =
          has(char) && target.length > 0
            ? (target[complement ? target.length - 1 : Math.min(source.get(char) ?? 0, target.length - 1)] ?? char)
            : char;
        if (changed === last && squeezes(changed)) continue;
        out += last = changed;
      }
      await call.stdout.write(out);
    }
    return 0;
  },

  cut: async (call) => {
    const { flags, values, rest } = options(call, "d:f:c:b:s");
    const fields = values.get("f");
    const chosen = ranges(fields ?? values.get("c") ?? values.get("b") ?? "-");
    const separator = values.get("d") ?? "\t";
    for await (const line of inputLines(call, rest)) {
      const parts = fields === undefined ? Array.from(line) : line.split(separator);
      if (fields !== undefined && parts.length === 1) {
        if (!flags.has("s")) await call.stdout.write(`${line}\n`);
        continue;
      }
      await call.stdout.write(
        `${parts.filter((_part, at) => chosen(at + 1)).join(fields === undefined ? "" : separator)}\n`,
      );
    }
    return 0;
  },

  rev: async (call) => {
    for await (const line of inputLines(call, call.args))
      await call.stdout.write(`${Array.from(line).toReversed().join("")}\n`);
    return 0;
  },
};

const resolve = (call: Invocation, path: string): string => (path.startsWith("/") ? path : `${call.shell.cwd}/${path}`);
