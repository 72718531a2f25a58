import { AdbError, type AdbLink, type ShellResult } from "@terrarium/adb";
import { type Clock, within } from "@terrarium/clock";
import { AppError, type InstalledApp } from "@terrarium/contract";
import { randomUUID } from "node:crypto";

/** What is needed of an adb link. */
export type AppLink = Pick<AdbLink, "banner" | "install" | "push" | "shell">;

export interface AppFile {
  /** Of the whole file. */
  bytes: number;
  source: AsyncIterable<Uint8Array>;
}

export interface InstallDeps {
  clock: Clock;
  signal: AbortSignal;
}

/** Links over which an app is being installed: with two at once, nobody could say which of them is new. */
const installing = new WeakSet<AppLink>();
/** Replaces an older version, and takes what Android Studio builds to be tested. */
const OPTIONS = ["-r", "-t"];
/** Where devices without `cmd` (Android 6 and older) read it from, as adb does it. */
const FOLDER = "/data/local/tmp";
/** A device that failed may take that long to delete what it was given. */
const CLEAN_UP_TIMEOUT_MS = 5_000;
/** The first bytes of an APK, which is a ZIP file. */
const MAGIC = Buffer.from("PK\x03\x04", "latin1");
/** `Failure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #99 (current version is #35)]` */
const REASON = /\b(INSTALL_[A-Z0-9_]+)/;
/** Of a device's words, which may be a stack trace, as much as is passed on. */
const MAX_WORDS = 500;

/**
 * Installs an APK while it arrives, and opens it. Rejects with NOT_AN_APP, with INSTANCE_BUSY, with APP_REFUSED and the device's words, with an `AdbError`, or
 * with the signal's reason; nothing is left on the device then.
 */
export async function installApp(link: AppLink, file: AppFile, deps: InstallDeps): Promise<InstalledApp> {
  // What has no bytes at all, no device would be asked to read.
  if (file.bytes < MAGIC.length) throw new AppError("NOT_AN_APP");
  if (installing.has(link)) throw new AppError("INSTANCE_BUSY");
  installing.add(link);
  return await installAndOpen(link, file, deps).finally(() => installing.delete(link));
}

async function installAndOpen(link: AppLink, file: AppFile, deps: InstallDeps): Promise<InstalledApp> {
  const { signal } = deps;
  const before = await packagePaths(link, signal);
  const checked = { ...file, source: ofAnApk(file.source) };
  await (link.banner.features.has("cmd") ? installStreamed(link, checked, signal) : installPushed(link, checked, deps));
  // The package manager does not say what it has installed. Wherever it did, the APK is at another path than before.
  const after = await packagePaths(link, signal);
  const installed = [...after].find(([name, path]) => before.get(name) !== path)?.[0];
  if (installed === undefined) return { package_name: null, is_open: false };
  return { package_name: installed, is_open: await openApp(link, installed, signal) };
}

/** @throws AppError NOT_AN_APP, before anything reaches the device */
async function* ofAnApk(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  for await (const part of source) {
    if (!head) {
      yield part;
      continue;
    }
    head = Buffer.concat([head, part]);
    if (!MAGIC.subarray(0, head.length).equals(head.subarray(0, MAGIC.length))) throw new AppError("NOT_AN_APP");
    if (head.length < MAGIC.length) continue;
    yield head;
    head = undefined;
  }
  if (head) throw new AppError("NOT_AN_APP");
}

async function installStreamed(link: AppLink, { bytes: size, source }: AppFile, signal: AbortSignal): Promise<void> {
  try {
    await link.install({ size, source, args: OPTIONS, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AdbError && error.code === "FAILED") throw refused(error.message);
    throw error;
  }
}

async function installPushed(link: AppLink, { source }: AppFile, { clock, signal }: InstallDeps): Promise<void> {
  const path = `${FOLDER}/${randomUUID()}.apk`;
  try {
    await link.push({ path, mtime: Math.trunc(clock.now() / 1000), source, signal }).catch((error: unknown) => {
      if (error instanceof AdbError && error.code === "FAILED") throw refused(error.message);
      throw error;
    });
    const { stdout, stderr } = await link.shell(["pm", "install", ...OPTIONS, path], { signal });
    if (!/^Success\b/m.test(stdout)) throw refused(`${stdout}${stderr}`.trim());
  } finally {
    // Also when it was called off: with the aborted signal the command would not be sent.
    await within(CLEAN_UP_TIMEOUT_MS, clock, new AbortController().signal, (limited) =>
      link.shell(["rm", "-f", path], { signal: limited }),
    ).catch(() => undefined);
  }
}

const refused = (words: string): AppError => {
  const isFull = /no space left|not enough space|insufficient.storage/i.test(words);
  const reason = isFull ? "INSTALL_FAILED_INSUFFICIENT_STORAGE" : (REASON.exec(words)?.[1] ?? "INSTALL_FAILED");
  return new AppError("APP_REFUSED", { details: { reason, words: words.slice(0, MAX_WORDS) } });
};

/** The path of each package's base APK, by its name. */
async function packagePaths(link: AppLink, signal: AbortSignal): Promise<Map<string, string>> {
  const { stdout } = await link.shell(["pm", "list", "packages", "-f"], { signal });
  return new Map(
    // Paths contain `=` since Android 8, names never do.
    [...stdout.matchAll(/^package:(.+)=([\w.]+)\r?$/gm)].map(([, path = "", name = ""]) => [name, path]),
  );
}

const CATEGORIES = ["android.intent.category.LAUNCHER", "android.intent.category.LEANBACK_LAUNCHER"];

/** Brings an app to the front as a launcher does. Returns false if it has nothing that a launcher shows. */
export async function openApp(link: Pick<AdbLink, "shell">, name: string, signal: AbortSignal): Promise<boolean> {
  const run = (...words: string[]) => link.shell(words, { signal });
  for (const category of CATEGORIES) {
    const intent = ["-a", "android.intent.action.MAIN", "-c", category];
    const { stdout } = await run("cmd", "package", "resolve-activity", "--brief", ...intent, name);
    const activity = stdout.split(/\r?\n/).find((line) => line.startsWith(`${name}/`));
    if (activity !== undefined) return !hasFailed(await run("am", "start", ...intent, "-n", activity));
  }
  // Without `cmd`, or where a launcher would offer several: this takes one of them.
  return !hasFailed(await run("monkey", "-p", name, "-c", CATEGORIES[0] ?? "", "1"));
}

/** Older versions end with 0 even then. */
const hasFailed = ({ exitCode, stdout, stderr }: ShellResult): boolean =>
  exitCode !== 0 || /^Error|No activities found/m.test(stdout + stderr);
