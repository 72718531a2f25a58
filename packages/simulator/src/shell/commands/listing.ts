import { FileError } from "../../files/file-error.ts";
import { nameOfId } from "../../files/identity.ts";
import { type Node, statMode } from "../../files/node.ts";
import { baseName, joinPath } from "../../files/path.ts";
import { type Commands, forEachPath, type Invocation, options, pathOf, UsageError } from "../invocation.ts";

/** `drwxr-xr-x`, as ls shows a mode. */
function modeText(node: Node): string {
  const kind = { file: "-", directory: "d", link: "l", char: "c" }[node.kind];
  const bits = [6, 3, 0].map((shift) =>
    ["r", "w", "x"].map((letter, at) => ((node.mode >> (shift + 2 - at)) & 1 ? letter : "-")),
  );
  const special = (at: number, bit: number, letter: string) => {
    if (node.mode & bit) bits[at]![2] = bits[at]![2] === "x" ? letter : letter.toUpperCase();
  };
  special(0, 0o4000, "s");
  special(1, 0o2000, "s");
  special(2, 0o1000, "t");
  return kind + bits.flat().join("");
}

/** `2026-03-02 09:00` in UTC, as toybox shows times. */
export const minuteText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

function longLines(call: Invocation, entries: readonly [string, Node][]): string[] {
  const cells = entries.map(([name, node]) => [
    modeText(node),
    String(
      node.kind === "directory"
        ? 2 + [...node.children.values()].filter((child) => child.kind === "directory").length
        : 1,
    ),
    nameOfId(node.uid),
    nameOfId(node.gid),
    String(call.shell.files.size(node)),
    minuteText(node.mtimeMs),
    node.kind === "link" ? `${name} -> ${node.target}` : name,
  ]);
  const width = (column: number) => Math.max(...cells.map((row) => row[column]!.length));
  return cells.map((row) =>
    [
      row[0],
      row[1]!.padStart(width(1)),
      row[2]!.padEnd(width(2)),
      row[3]!.padEnd(width(3)),
      row[4]!.padStart(width(4)),
      row[5],
      row[6],
    ].join(" "),
  );
}

export const listing: Commands = {
  ls: async (call) => {
    const { flags, rest } = options(call, "la1dRhFitrASZ");
    const { files } = call.shell;
    if (flags.has("Z")) throw new UsageError("no security labels on this device");
    const show = async (entries: [string, Node][], total: boolean) => {
      if (flags.has("t")) entries.sort(([, a], [, b]) => b.mtimeMs - a.mtimeMs);
      if (flags.has("S")) entries.sort(([, a], [, b]) => files.size(b) - files.size(a));
      if (flags.has("r")) entries.reverse();
      if (flags.has("F"))
        entries = entries.map(([name, node]) => [node.kind === "directory" ? `${name}/` : name, node]);
      const blocks = entries.reduce((sum, [, node]) => sum + Math.ceil(files.size(node) / 4096) * 4, 0);
      const lines = flags.has("l") ? longLines(call, entries) : entries.map(([name]) => name);
      if (total && flags.has("l")) lines.unshift(`total ${blocks}`);
      if (lines.length > 0) await call.stdout.write(`${lines.join("\n")}\n`);
    };
    const paths = rest.length > 0 ? rest : ["."];
    const plain: [string, Node][] = [];
    const folders: [string, Node][] = [];
    let code = await forEachPath(call, paths, (path, shown) => {
      const link = files.lstat(path);
      const node =
        flags.has("d") || (flags.has("l") && link.kind === "link" && !shown.endsWith("/"))
          ? link
          : follow(() => files.stat(path), link);
      (node.kind === "directory" && !flags.has("d") ? folders : plain).push([shown, node]);
    });
    if (plain.length > 0) await show(plain, false);
    const queue = folders.map(([shown]) => shown);
    const titled = queue.length + plain.length > 1 || flags.has("R");
    for (let first = plain.length === 0; queue.length > 0; first = false) {
      const shown = queue.shift()!;
      code = Math.max(
        code,
        await forEachPath(call, [shown], async (path) => {
          const all = files.list(path);
          const seen = all.filter(([name]) => flags.has("a") || flags.has("A") || !name.startsWith("."));
          if (flags.has("a")) seen.unshift([".", files.stat(path)], ["..", files.stat(joinPath(path, ".."))]);
          if (titled) await call.stdout.write(`${first ? "" : "\n"}${shown}:\n`);
          await show(seen, true);
          if (flags.has("R"))
            queue.unshift(
              ...all.filter(([, node]) => node.kind === "directory").map(([name]) => joinPath(shown, name)),
            );
        }),
      );
    }
    return code;
  },

  stat: async (call) => {
    const { values, flags, rest } = options(call, "c:Lf");
    if (rest.length === 0 || flags.has("f")) throw new UsageError("Needs 1 argument");
    return forEachPath(call, rest, async (path, shown) => {
      const node = flags.has("L") ? call.shell.files.stat(path) : call.shell.files.lstat(path);
      const size = call.shell.files.size(node);
      const seconds = Math.floor(node.mtimeMs / 1000);
      const kind = {
        file: size === 0 ? "regular empty file" : "regular file",
        directory: "directory",
        link: "symbolic link",
        char: "character device",
      }[node.kind];
      const time = `${new Date(node.mtimeMs).toISOString().slice(0, 19).replace("T", " ")}.000000000 +0000`;
      const fields: Record<string, string> = {
        a: (node.mode & 0o7777).toString(8),
        A: modeText(node),
        b: String(Math.ceil(size / 4096) * 8),
        f: statMode(node).toString(16),
        F: kind,
        g: String(node.gid),
        G: nameOfId(node.gid),
        n: shown,
        N: shown,
        s: String(size),
        u: String(node.uid),
        U: nameOfId(node.uid),
        X: String(seconds),
        Y: String(seconds),
        Z: String(seconds),
        x: time,
        y: time,
        z: time,
        "%": "%",
      };
      const format =
        values.get("c") ??
        `  File: ${shown}${node.kind === "link" ? ` -> ${node.target}` : ""}\n  Size: %s\t Blocks: %b\t IO Blocks: 512\t%F\n` +
          `Access: (%a/%A)\tUid: (%u/ %U)\tGid: (%g/ %G)\nAccess: %x\nModify: %y\nChange: %z`;
      await call.stdout.write(
        `${format.replaceAll(/%([a-zA-Z%])/g, (all, letter: string) => fields[letter] ?? all)}\n`,
      );
    });
  },

  readlink: async (call) => {
    const { flags, rest } = options(call, "fen");
    return forEachPath(call, rest, async (path) => {
      if (flags.has("f") || flags.has("e")) return call.stdout.write(`${call.shell.files.realPath(path)}\n`);
      const node = call.shell.files.lstat(path);
      if (node.kind !== "link") throw new FileError("EINVAL");
      await call.stdout.write(`${node.target}\n`);
    });
  },

  realpath: (call) => forEachPath(call, call.args, (path) => call.stdout.write(`${call.shell.files.realPath(path)}\n`)),

  basename: async (call) => {
    const [path, suffix = ""] = call.args;
    if (path === undefined) throw new UsageError("Needs 1 argument");
    const name = baseName(path);
    await call.stdout.write(
      `${suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`,
    );
    return 0;
  },

  dirname: async (call) => {
    for (const path of call.args)
      await call.stdout.write(
        `${path.replace(/\/+$/, "").replace(/\/*[^/]*$/, "") || (path.startsWith("/") ? "/" : ".")}\n`,
      );
    return 0;
  },

  du: async (call) => {
    const { flags, rest } = options(call, "skhma");
    const unit = flags.has("m") ? 1024 : 1;
    const { files } = call.shell;
    const sum = (node: Node): number =>
      Math.ceil(files.size(node) / 4096) * 4 +
      (node.kind === "directory" ? [...node.children.values()].reduce((total, child) => total + sum(child), 0) : 0);
    const walk = async (path: string, shown: string, depth: number): Promise<void> => {
      const node = files.lstat(path);
      if (node.kind === "directory" && !flags.has("s"))
        for (const [name, child] of files.list(path))
          if (child.kind === "directory" || flags.has("a"))
            await walk(joinPath(path, name), joinPath(shown, name), depth + 1);
      const size = sum(node);
      await call.stdout.write(`${flags.has("h") ? human(size) : Math.ceil(size / unit)}\t${shown}\n`);
    };
    return forEachPath(call, rest.length > 0 ? rest : ["."], (path, shown) => walk(path, shown, 0));
  },

  df: async (call) => {
    const { flags, rest } = options(call, "hkaP");
    const { volume } = call.device;
    const kib = (bytes: number) => Math.floor(bytes / 1024);
    const total = kib(volume.totalBytes);
    const used = kib(volume.usedBytes);
    const free = Math.min(total - used, kib(volume.availableBytes));
    const ram = kib(call.device.spec.hardware.ramMb * 1024 * 1024);
    const rows = [
      ["/dev/block/dm-0", 2_097_152, 2_097_152, 0, "/"],
      ["tmpfs", Math.floor(ram / 2), 4, Math.floor(ram / 2) - 4, "/dev"],
      ["/dev/block/dm-5", total, used, free, "/data"],
      ["/dev/fuse", total, used, free, "/storage/emulated"],
    ] as const;
    const wanted = new Set<string>();
    for (const path of rest) {
      const real = call.shell.files.realPath(pathOf(call, path));
      wanted.add(rows.findLast((row) => real.startsWith(row[4]))![4]);
    }
    const shown = rows.filter((row) => rest.length === 0 || wanted.has(row[4]));
    const size = (value: number) => (flags.has("h") ? human(value) : String(value));
    const cells = [
      ["Filesystem", flags.has("h") ? "Size" : "1K-blocks", "Used", "Available", "Use%", "Mounted on"],
      ...shown.map(([name, all, used, available, mount]) => [
        name,
        size(all),
        size(used),
        size(available),
        `${Math.ceil((used / Math.max(1, used + available)) * 100)}%`,
        mount,
      ]),
    ];
    const width = (column: number) => Math.max(...cells.map((row) => row[column]!.length));
    for (const row of cells)
      await call.stdout.write(
        `${row[0]!.padEnd(width(0))} ${[1, 2, 3, 4].map((column) => row[column]!.padStart(width(column))).join(" ")} ${row[5]}\n`,
      );
    return 0;
  },
};

const follow = (stat: () => Node, link: Node): Node => {
  try {
    return stat();
  } catch (error) {
    if (error instanceof FileError) return link;
    throw error;
  }
};

/** Kibibytes as `-h` shows them. */
function human(kib: number): string {
  let [value, unit] = [kib, 0];
  while (value >= 1000 && unit < 3) [value, unit] = [value / 1024, unit + 1];
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${"KMGT"[unit]}`;
}
