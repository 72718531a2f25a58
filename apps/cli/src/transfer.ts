import type { AdbLink, RemoteStat } from "@terrarium/adb";
import { createReadStream, createWriteStream, type Stats } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "./failures.ts";

/** Of `st_mode`, as Linux has it on every device. */
const KIND = 0o170000;
const FOLDER = 0o040000;
const FILE = 0o100000;
const LINK = 0o120000;
const PERMISSIONS = 0o777;
/** Folders made by one command: the words of one are bounded. */
const FOLDERS_AT_ONCE = 50;

interface Options {
  signal: AbortSignal;
  /** Called with each file before it is copied. */
  onFile?: (path: string) => void;
  /** Called with what is neither a file nor a folder, and so is not copied. */
  onSkip?: (path: string) => void;
}

/** What was copied. */
export interface Copied {
  /** Where it is now. */
  path: string;
  files: number;
  folders: number;
  bytes: number;
}

/** As `cp -r` finds its target: into a folder that is there, or that is meant by a slash at the end; otherwise by that name. */
const targetOf = (given: string, isFolder: boolean, name: string): string =>
  isFolder || given.endsWith("/") ? posix.join(given, name) : given;

/**
 * Copies a file or a folder of this machine, with all that is in it, to a device. Times and permissions of files are preserved, as far as
 * the device's file system has such (and its adbd lets their group do what the owner may); links are followed to files, and left out where
 * they lead to folders. Throws a Failure that names what could not be copied.
 */
export async function pushTree(link: AdbLink, from: string, given: string, options: Options): Promise<Copied> {
  const { signal, onFile, onSkip } = options;
  const source = await statHere(from);
  const there = await link.stat(given, signal);
  const path = targetOf(given, isFolder(there), basename(from));
  const copied: Copied = { path, files: 0, folders: 0, bytes: 0 };
  const folders: string[] = [];
  const files: { from: string; to: string; stats: Stats }[] = [];
  const collect = async (from: string, to: string, stats: Stats) => {
    if (stats.isFile()) return void files.push({ from, to, stats });
    if (!stats.isDirectory()) return onSkip?.(from);
    folders.push(to);
    for (const entry of await readFolder(from)) {
      const inner = join(from, entry.name);
      const found = await statHere(inner).catch(() => undefined);
      // A link to a folder may lead round in a circle.
      if (!found || (entry.isSymbolicLink() && found.isDirectory())) onSkip?.(inner);
      else await collect(inner, posix.join(to, entry.name), found);
    }
  };
  await collect(from, path, source);
  if (files.length + folders.length === 0) throw new Failure("USAGE_ERROR", `${from} is neither a file nor a folder.`);
  for (let at = 0; at < folders.length; at += FOLDERS_AT_ONCE) {
    const made = await link.shell(["mkdir", "-p", ...folders.slice(at, at + FOLDERS_AT_ONCE)], { signal });
    if (made.exitCode !== 0)
      throw new Failure("INSTANCE_ERROR", "The device could not make a folder.", (made.stderr || made.stdout).trim());
  }
  copied.folders = folders.length;
  for (const { from, to, stats } of files) {
    onFile?.(to);
    const mtime = Math.floor(stats.mtimeMs / 1000);
    const mode = stats.mode & PERMISSIONS;
    await link
      .push({ path: to, mode, mtime, source: createReadStream(from), signal })
      .catch((error: unknown) => fail(`${from} could not be copied to ${to}.`, error, signal));
    copied.files++;
    copied.bytes += stats.size;
  }
  return copied;
}

/**
 * Copies a file or a folder of a device, with all that is in it, to this machine: by its own name into a folder that is there. Times and
 * permissions are preserved. A file that was there is replaced by a whole one, or not at all. Links are followed to files only, and no name
 * leads out of the folder. Throws a Failure that names what could not be copied.
 */
export async function pullTree(link: AdbLink, from: string, given: string | undefined, options: Options) {
  const { signal, onFile, onSkip } = options;
  const source = await link.stat(from, signal);
  if (!source) throw new Failure("DEFAULT_ERROR", `${from}: No such file or folder on the device.`);
  const name = posix.basename(posix.normalize(from));
  const isInto = given !== undefined && (await stat(given).catch(() => undefined))?.isDirectory();
  const path = isInto ? join(given, name) : (given ?? name);
  if (path === "") throw new Failure("USAGE_ERROR", "Say into which folder of this machine.");
  const copied: Copied = { path, files: 0, folders: 0, bytes: 0 };
  const copy = async (from: string, to: string, { mode, mtime, size }: RemoteStat): Promise<void> => {
    const kind = mode & KIND;
    if (kind === FOLDER) {
      await mkdir(to, { recursive: true });
      for (const entry of await link.list(from, signal)) await copyEntry(posix.join(from, entry.name), to, entry);
      copied.folders++;
    } else if (kind === FILE) {
      onFile?.(from);
      await pullFile(link, from, to, signal);
      copied.files++;
      copied.bytes += size;
    } else return onSkip?.(from);
    // Last: a folder may be one that nothing can be written to.
    await chmod(to, mode & PERMISSIONS);
    await utimes(to, mtime, mtime);
  };
  const copyEntry = async (from: string, folder: string, entry: RemoteStat & { name: string }) => {
    if (!isName(entry.name)) return onSkip?.(from);
    const isLink = (entry.mode & KIND) === LINK;
    const found = isLink ? await link.stat(from, signal) : entry;
    // A link to a folder may lead round in a circle.
    if (!found || (isLink && isFolder(found))) onSkip?.(from);
    else await copy(from, join(folder, entry.name), found);
  };
  await copy(from, path, source);
  if (copied.files + copied.folders === 0) throw new Failure("USAGE_ERROR", `${from} is neither a file nor a folder.`);
  return copied;
}

const pullFile = (link: AdbLink, from: string, to: string, signal: AbortSignal): Promise<void> =>
  writeWhole(to, link.pull(from, signal), signal).catch((error: unknown) =>
    fail(`${from} could not be copied to ${to}.`, error, signal),
  );

/** Writes a file of this machine as a whole, or leaves what was there. */
export async function writeWhole(file: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(part), { signal });
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/** Whether it is the name of one thing, and leads nowhere: a device may say anything. */
const isName = (name: string): boolean => !["", ".", ".."].includes(name) && basename(name) === name;

const isFolder = (found: RemoteStat | undefined): boolean => found !== undefined && (found.mode & KIND) === FOLDER;

/** Throws a Failure if there is nothing. */
export const statHere = (path: string): Promise<Stats> =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "is not there." : "cannot be read.";
    throw new Failure("USAGE_ERROR", `${path} ${why}`, error.code);
  });

const readFolder = (path: string) =>
  readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure("USAGE_ERROR", `${path} cannot be read.`, error.code);
  });

function fail(message: string, error: unknown, signal: AbortSignal): never {
  if (signal.aborted) throw error;
  throw new Failure("DEFAULT_ERROR", message, error instanceof Error ? error.message : String(error));
}
