import type { AdbLink } from "@terrarium/adb";
import { runSections } from "./sections.ts";

/** Where the shell, and so everybody who uses the device, may write files. */
const FOLDERS = ["/sdcard/", "/data/local/tmp/"];
/** How many paths are deleted by one command; a command line has its limit. */
const PATHS_AT_ONCE = 200;
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
    "adb_enabled",
  ],
  secure: ["location_mode", "default_input_method", "enabled_accessibility_services", "ui_night_mode"],
};

/** How a device was before somebody used it. */
export interface Before {
  /** Installed apps that are not the system's. */
  packages: string[];
  /** Files and folders that the shell may write. */
  paths: string[];
  /** By namespace, then by name. */
  settings: Record<string, Record<string, string>>;
  size: string;
  density: string;
}

const QUESTIONS = {
  packages: "pm list packages -3",
  paths: `find ${FOLDERS.join(" ")} -mindepth 1 -print0`,
  system: "settings list system",
  global: "settings list global",
  secure: "settings list secure",
  size: "wm size",
  density: "wm density",
};

/** Reads what `undo` compares with later. */
export async function lookBefore(link: Pick<AdbLink, "shell">, signal: AbortSignal): Promise<Before> {
  const said = await runSections(link, QUESTIONS, signal);
  const settings = Object.entries(SETTINGS).map(([namespace, names]) => {
    const all = new Map(said[namespace as "system"].split("\n").map((line) => splitAt(line, "=")));
    return [namespace, Object.fromEntries(names.flatMap((name) => (all.has(name) ? [[name, all.get(name)!]] : [])))];
  });
  return {
    packages: said.packages.split("\n").flatMap((line) => /^package:([\w.]+)$/.exec(line.trim())?.[1] ?? []),
    paths: said.paths.split("\0").filter((path) => FOLDERS.some((folder) => path.startsWith(folder))),
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
 * Takes away what has come to a device since `before`: apps, files and folders, settings that viewers change, and what gadgets have set.
 * What was changed or deleted is not brought back. Answers what could not be undone, in words.
 * @throws AdbError when the device is gone; the signal's reason
 */
export async function undo(link: Pick<AdbLink, "shell">, before: Before, signal: AbortSignal): Promise<string[]> {
  const now = await lookBefore(link, signal);
  const left: string[] = [];
  const run = async (words: readonly string[]): Promise<void> => {
    const { exitCode, stdout, stderr } = await link.shell(words, { signal });
    if (exitCode !== 0 || /^Failure/m.test(stdout)) left.push(`${words.join(" ")}: ${(stderr + stdout).trim()}`);
  };

  for (const name of added(before.packages, now.packages)) await run(["pm", "uninstall", name]);
  // An app that is uninstalled takes its folders along.
  const paths = topmost(added(before.paths, now.paths));
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE)
    await run(["rm", "-rf", "--", ...paths.slice(at, at + PATHS_AT_ONCE)]);

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
  return left;
}

const added = (before: readonly string[], now: readonly string[]): string[] => {
  const known = new Set(before);
  return now.filter((one) => !known.has(one));
};

/** Without those that go with a folder above them. */
function topmost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return paths.filter((path) => !all.has(path.slice(0, path.lastIndexOf("/"))));
}

/** What somebody had set before, or that nobody had. */
const overrideOf = (said: string): string => /Override \w+: (\S+)/.exec(said)?.[1] ?? "reset";
