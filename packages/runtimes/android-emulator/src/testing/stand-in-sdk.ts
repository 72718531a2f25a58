import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("stand-in-emulator.ts", import.meta.url));
/** What the emulator prints of its options, which are all that it takes. */
export const HELP = "emulator/help.txt";
const FLAGS = "no-window no-audio no-boot-anim no-snapshot-save no-snapshot-load skip-adb-auth no-metrics help";
const PARAMETERS = "avd id ports gpu accel memory cores snapshot camera-back camera-front";
const NETWORK = "network-user-mode-options wifi-user-mode-options";
export const IMAGE = "system-images;android-34;google_apis;x86_64";

/** An Android SDK as far as an emulator needs it: one that stands in for Google's, `qemu-img` of this machine, and a system image. */
export async function makeStandInSdk(sdk: string): Promise<void> {
  await mkdir(join(sdk, "emulator"), { recursive: true });
  const script = `[ "$1" = -help ] && exec cat "${join(sdk, HELP)}"\nexec "${process.execPath}" "${PROGRAM}" "$@"`;
  await writeFile(join(sdk, "emulator/emulator"), `#!/bin/sh\n${script}\n`);
  await writeHelp(sdk, `${PARAMETERS} ${NETWORK}`);
  await chmod(join(sdk, "emulator/emulator"), 0o755);
  await symlink("/usr/bin/qemu-img", join(sdk, "emulator/qemu-img"));
  await writeFile(join(sdk, "emulator/source.properties"), "Pkg.Revision=35.3.11\n");
  await addImage(sdk, IMAGE);
}

/** Makes it one that cannot cut devices off from the network. */
export const makeOld = (sdk: string): Promise<void> => writeHelp(sdk, PARAMETERS);

async function writeHelp(sdk: string, parameters: string): Promise<void> {
  const lines = [...parameters.split(" ").map((name) => `${name} <value>`), ...FLAGS.split(" ")];
  await writeFile(join(sdk, HELP), lines.map((line) => `    -${line}   does what it says\n`).join(""));
}

/** Adds a system image with these files; the version of Android is not said. */
export async function addImage(sdk: string, name: string, files: Record<string, string> = {}): Promise<void> {
  const [, platform = "", tag = "", abi = ""] = name.split(";");
  const folder = join(sdk, "system-images", platform, tag, abi);
  await mkdir(folder, { recursive: true });
  const source = [
    `AndroidVersion.ApiLevel=${platform.replace("android-", "")}`,
    `SystemImage.Abi=${abi}`,
    `SystemImage.TagId=${tag}`,
    "Pkg.Revision=14",
  ];
  const all = { "source.properties": `${source.join("\n")}\n`, "system.img": "the system", ...files };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
}
