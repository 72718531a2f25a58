import { type AdbLink, quoteShell } from "@terrarium/adb";
import { runSections } from "./sections.ts";

/** Where the shell, and so everybody who uses the device, may write files. */
const FOLDERS = ["/sdcard/", "/data/local/tmp/"];
/** Of one command line, as it is quoted; Linux takes 128 KiB as one argument of the shell. */
const MAX_COMMAND_BYTES = 60_000;
/** A device writes files of its own meanwhile, which come and go. */
const MAX_ROUNDS = 3;
/** How many of the leftovers are reported. */
const MAX_LEFT = 10;
/** What stands for bytes that are no UTF-8. Another name would be deleted, or none. */
const NO_TEXT = "\ufffd";
/** What viewers and their gadgets change; the rest of the settings changes by itself, too. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  system: [
    "accelerometer_rotation",
    "user_rotation",
    "screen_brightness",
    "screen_brightness_mode",
    "screen_off_timeout",
    "font_scale",
    "sound_effects_enabled",
  ],
  global: [
    "http_proxy",
    "private_dns_mode",
    "private_dns_specifier",
    "stay_on_while_plugged_in",
    "window_animation_scale",
    "transition_animation_scale",
    "animator_duration_scale",
    "package_verifier_enable",
    "adb_wifi_enabled",
  ],
  secure: ["location_mode", "default_input_method", "enabled_accessibility_services", "ui_night_mode"],
};

/** How a device was before somebody used it. */
export interface Before {
  /** Installed apps that are not the system's. */
  packages: string[];
  /** Files and folders that the shell may write. */
  paths: string[];
  /** Of people and work profiles, by number; a reservation of an older version has none. */
  users?: string[];
  /** By namespace, then by name. */
  settings: Record<string, Record<string, string>>;
  size: string;
  density: string;
}

const QUESTIONS = {
  booted: "getprop sys.boot_completed | grep 1",
  packages: "pm list packages -3",
  paths: `find ${FOLDERS.join(" ")} -mindepth 1 -print0`,
  users: "pm list users",
  system: "settings list system",
  global: "settings list global",
  secure: "settings list secure",
  size: "wm size",
  density: "wm density",
};
const ALL = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[];

type Link = Pick<AdbLink, "shell">;

/**
 * Reads what `undo` compares with later.
 * @throws Error if the device does not report all of it, like one that is still starting; AdbError when it is gone
 */
export async function lookBefore(link: Link, signal: AbortSignal): Promise<Before> {
  for (let round = 1; ; round++)
    try {
      const before = await look(link, signal, ALL);
      if (!before.paths.some((path) => path.includes(NO_TEXT))) return before;
      throw new Error(`it has files in ${FOLDERS.join(" or ")} whose names are not UTF-8, which cannot be told apart`);
    } catch (error) {
      if (signal.aborted || round >= MAX_ROUNDS) throw error;
    }
}

async function look(link: Link, signal: AbortSignal, required: typeof ALL): Promise<Before> {
  const said = await runSections(link, QUESTIONS, signal, required);
  const settings = Object.entries(SETTINGS).map(([namespace, names]) => {
    const all = new Map(said[namespace as "system"].split("\n").map((line) => splitAt(line, "=")));
    return [namespace, Object.fromEntries(names.flatMap((name) => (all.has(name) ? [[name, all.get(name)!]] : [])))];
  });
  return {
    packages: said.packages.split("\n").flatMap((line) => /^package:([\w.]+)$/.exec(line.trim())?.[1] ?? []),
    paths: said.paths.split("\0").filter((path) => FOLDERS.some((folder) => path.startsWith(folder))),
    users: [...said.users.matchAll(/UserInfo\{(\d+):/g)].map(([, id = ""]) => id),
    settings: Object.fromEntries(settings) as Before["settings"],
    size: said.size.trim(),
    density: said.density.trim(),
  };
}

const splitAt = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
};

/**
 * Takes away what has come to a device since `before`: users and work profiles, apps, files and folders, settings that viewers change, and
 * what gadgets have set; then looks whether it is gone. What was changed or deleted is not brought back. Answers what could not be undone,
 * in words.
 * @throws Error if the device does not report its present state; AdbError when it is gone; the signal's reason
 */
export async function undo(link: Link, before: Before, signal: AbortSignal): Promise<string[]> {
  for (let round = 1; ; round++) {
    const left = await undoOnce(link, before, signal);
    if (left.length === 0 || round >= MAX_ROUNDS) return left;
  }
}

async function undoOnce(link: Link, before: Before, signal: AbortSignal): Promise<string[]> {
  // Somebody's folder that may not be read can still be deleted.
  const now = await look(
    link,
    signal,
    ALL.filter((name) => name !== "paths"),
  );
  const failed: string[] = [];
  const run = async (words: readonly string[]): Promise<void> => {
    const { exitCode, stdout, stderr } = await link.shell(words, { signal });
    if (exitCode !== 0 || /^Failure/m.test(stdout)) failed.push(`${words.join(" ")}: ${(stderr + stdout).trim()}`);
  };

  // With a work profile go its apps and files.
  for (const id of addedUsers(before, now)) await link.shell(["pm", "remove-user", id], { signal });
  for (const name of added(before.packages, now.packages)) await link.shell(["pm", "uninstall", name], { signal });
  // An app that is uninstalled takes its folders along.
  for (const paths of batches(topmost(added(before.paths, now.paths))))
    await link.shell(["rm", "-rf", "--", ...paths], { signal });

  for (const [namespace, names] of Object.entries(SETTINGS))
    for (const name of names) {
      const [was, is] = [before.settings[namespace]?.[name], now.settings[namespace]?.[name]];
      if (was === is) continue;
      await run(["settings", ...(was === undefined ? ["delete", namespace, name] : ["put", namespace, name, was])]);
    }
  if (now.size !== before.size) await run(["wm", "size", overrideOf(before.size)]);
  if (now.density !== before.density) await run(["wm", "density", overrideOf(before.density)]);

  // Devices that lack one of these say so, and have nothing to undo then.
  await link.shell(
    "dumpsys battery reset; cmd location providers remove-test-provider gps; appops set com.android.shell android:mock_location default; input keyevent HOME",
    { signal },
  );

  const after = await look(link, signal, ALL);
  const left = [
    ...addedUsers(before, after).map((id) => `the user or work profile ${id}`),
    ...added(before.packages, after.packages).map((name) => `the app ${name}`),
    ...topmost(added(before.paths, after.paths)).map((path) => JSON.stringify(path)),
    ...failed,
  ];
  return left.slice(0, MAX_LEFT).map((one) => one.slice(0, 200));
}

/** As many as fit into a command line. */
function* batches(paths: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const more = Buffer.byteLength(quoteShell(path)) + 1;
    if (bytes + more > MAX_COMMAND_BYTES && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(path);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

const added = (before: readonly string[], now: readonly string[]): string[] => {
  const known = new Set(before);
  return now.filter((one) => !known.has(one));
};

const addedUsers = ({ users }: Before, now: Before): string[] => (users ? added(users, now.users ?? []) : []);

/** Without those that go with a folder above them. */
function topmost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return paths.filter((path) => !all.has(path.slice(0, path.lastIndexOf("/"))));
}

/** What somebody had set before, or that nobody had. */
const overrideOf = (said: string): string => /Override \w+: (\S+)/.exec(said)?.[1] ?? "reset";
