import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("stand-in-emulator.ts", import.meta.url));
export const IMAGE = "system-images;android-34;google_apis;x86_64";

/** An Android SDK as far as an emulator needs it: one that stands in for Google's, `qemu-img` of this machine, and a system image. */
export async function makeStandInSdk(sdk: string): Promise<void> {
  await mkdir(join(sdk, "emulator"), { recursive: true });
  await writeFile(join(sdk, "emulator/emulator"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  await chmod(join(sdk, "emulator/emulator"), 0o755);
  await symlink("/usr/bin/qemu-img", join(sdk, "emulator/qemu-img"));
  await writeFile(join(sdk, "emulator/source.properties"), "Pkg.Revision=35.3.11\n");
  await addImage(sdk, IMAGE);
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
