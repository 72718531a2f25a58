import { FileError } from "../../files/file-error.ts";
import { baseName, joinPath } from "../../files/path.ts";
import { type Commands, copyFile, forEachPath, type Invocation, options, pathOf, UsageError } from "../invocation.ts";

const isFolder = (call: Invocation, path: string): boolean =>
  call.shell.files.exists(path) && call.shell.files.stat(path).kind === "directory";

/** The destination of each argument of `cp` and `mv`. */
function goals(call: Invocation, rest: string[]): { sources: string[]; goal: (source: string) => string } {
  if (rest.length < 2) throw new UsageError("Needs 2 arguments");
  const last = rest.at(-1)!;
  const target = pathOf(call, last);
  const folder = isFolder(call, target);
  if (rest.length > 2 && !folder) throw new UsageError(`'${last}' not directory`);
  return { sources: rest.slice(0, -1), goal: (source) => (folder ? joinPath(target, baseName(source)) : target) };
}

async function copyTree(call: Invocation, from: string, to: string, preserve: boolean): Promise<void> {
  const { files } = call.shell;
  await call.spend();
  const node = files.lstat(from);
  if (to === from || to.startsWith(`${from}/`)) throw new FileError("EINVAL");
  if (node.kind === "link") return files.link(to, node.target);
  if (node.kind === "directory") {
    if (!files.exists(to)) files.makeDirectory(to, node.mode | 0o700);
    for (const [name] of files.list(from)) await copyTree(call, joinPath(from, name), joinPath(to, name), preserve);
  } else await copyFile(call, files.open(from), files.create(to, node.mode));
  if (preserve) files.setTime(to, node.mtimeMs);
}

export const changing: Commands = {
  mkdir: (call) => {
    const { flags, values, rest } = options(call, "pvm:");
    if (rest.length === 0) throw new UsageError("Needs 1 argument");
    const mode = values.has("m") ? parseInt(values.get("m")!, 8) : (0o777 & ~0o077) | 0o070;
    return forEachPath(call, rest, (path) =>
      flags.has("p") ? call.shell.files.makeDirectories(path, mode) : call.shell.files.makeDirectory(path, mode),
    );
  },

  rmdir: (call) => {
    const { rest } = options(call, "p");
    if (rest.length === 0) throw new UsageError("Needs 1 argument");
    return forEachPath(call, rest, (path) => call.shell.files.remove(path, { directory: true }));
  },

  rm: (call) => {
    const { flags, rest } = options(call, "frRiv");
    if (rest.length === 0 && !flags.has("f")) throw new UsageError("Needs 1 argument");
    const recursive = flags.has("r") || flags.has("R");
    return forEachPath(call, rest, (path) => {
      try {
        if (recursive) call.shell.files.removeTree(path);
        else call.shell.files.remove(path);
      } catch (error) {
        if (flags.has("f") && error instanceof FileError && error.code === "ENOENT") return;
        throw error;
      }
    });
  },

  mv: async (call) => {
    const { flags, rest } = options(call, "finv");
    const { sources, goal } = goals(call, rest);
    return forEachPath(call, sources, (from, shown) => {
      const to = goal(shown);
      if (flags.has("n") && call.shell.files.exists(to)) return;
      call.shell.files.rename(from, to);
    });
  },

  cp: async (call) => {
    const { flags, rest } = options(call, "rRpafivdn");
    const recursive = flags.has("r") || flags.has("R") || flags.has("a");
    const { sources, goal } = goals(call, rest);
    let skipped = 0;
    const code = await forEachPath(call, sources, async (from, shown) => {
      const { files } = call.shell;
      const link = files.lstat(from);
      const source = link.kind === "link" && !flags.has("a") && !flags.has("d") ? files.realPath(from) : from;
      if (files.lstat(source).kind === "directory" && !recursive) {
        skipped = 1;
        await call.stderr.write(`cp: Skipped dir '${shown}'\n`);
        return;
      }
      await copyTree(call, source, goal(shown), flags.has("p") || flags.has("a"));
    });
    return Math.max(code, skipped);
  },

  ln: (call) => {
    const { flags, rest } = options(call, "sfn");
    if (!flags.has("s")) throw new UsageError("hard links are not supported by this file system");
    const [target, name = baseName(rest[0] ?? "")] = rest;
    if (target === undefined) throw new UsageError("Needs 1 argument");
    return forEachPath(call, [name], (path) => {
      const goal = isFolder(call, path) && !flags.has("n") ? joinPath(path, baseName(target)) : path;
      if (flags.has("f") && call.shell.files.exists(goal)) call.shell.files.remove(goal);
      call.shell.files.link(goal, target);
    });
  },

  touch: (call) => {
    const { flags, values, rest } = options(call, "acmd:t:");
    const time = values.has("d")
      ? Date.parse(values.get("d")!)
      : values.has("t")
        ? stamp(values.get("t")!)
        : call.device.clock.now();
    if (Number.isNaN(time)) throw new UsageError("bad time");
    if (rest.length === 0) throw new UsageError("Needs 1 argument");
    return forEachPath(call, rest, (path) => {
      const { files } = call.shell;
      if (!files.exists(path)) {
        if (flags.has("c")) return;
        files.create(path, 0o660).close();
      }
      files.setTime(path, time);
    });
  },

  chmod: (call) => {
    const { flags, rest } = options({ args: call.args.map((arg) => (/^-[rwx]/.test(arg) ? `./${arg}` : arg)) }, "Rvf");
    const [change, ...paths] = rest;
    if (change === undefined || paths.length === 0) throw new UsageError("Needs 2 arguments");
    return forEachPath(call, paths, (path) => {
      const { files } = call.shell;
      const apply = (one: string): void => {
        files.chmod(one, newMode(change.replace(/^\.\//, ""), files.stat(one).mode));
        if (flags.has("R") && files.stat(one).kind === "directory")
          for (const [name] of files.list(one)) apply(joinPath(one, name));
      };
      apply(path);
    });
  },

  chown: (call) => {
    const [owner = "", ...paths] = options(call, "Rf").rest;
    const match = /^(\d+)(?::(\d+))?$/.exec(owner);
    if (!match || paths.length === 0) throw new UsageError(`no user '${owner}'`);
    return forEachPath(call, paths, (path) =>
      call.shell.files.chown(path, Number(match[1]), Number(match[2] ?? match[1])),
    );
  },

  sync: () => 0,
};

/** `[[CC]YY]MMDDhhmm` as `touch -t` and `date` write it, or NaN. */
function stamp(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text);
  return match
    ? Date.UTC(
        Number(match[1]),
        Number(match[2]) - 1,
        Number(match[3]),
        Number(match[4]),
        Number(match[5]),
        Number(match[6] ?? 0),
      )
    : NaN;
}

/** Octal, or `u+x,go-w`. */
function newMode(change: string, mode: number): number {
  if (/^[0-7]{1,4}$/.test(change)) return parseInt(change, 8);
  for (const clause of change.split(",")) {
    const match = /^([ugoa]*)([-+=])([rwxX]*)$/.exec(clause);
    if (!match) throw new UsageError(`bad mode '${change}'`);
    const who = match[1] === "" || match[1]!.includes("a") ? "ugo" : match[1]!;
    const bits =
      (match[3]!.includes("r") ? 4 : 0) | (match[3]!.includes("w") ? 2 : 0) | (/[xX]/.test(match[3]!) ? 1 : 0);
    for (const [letter, shift] of [
      ["u", 6],
      ["g", 3],
      ["o", 0],
    ] as const) {
      if (!who.includes(letter)) continue;
      if (match[2] === "=") mode &= ~(7 << shift);
      mode = match[2] === "-" ? mode & ~(bits << shift) : mode | (bits << shift);
    }
  }
  return mode;
}
