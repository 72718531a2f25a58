import { execFile } from "node:child_process";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Adbd } from "./fetch-adbd.ts";

const run = promisify(execFile);
const BUSYBOX = "/bin/busybox";

const GETPROP = `#!/bin/sh
[ "$1" = sys.boot_completed ] && echo 1
`;

/**
 * Makes the root folder of a device that is Android as far as adb is: 16 MB of Debian's busybox and the genuine adbd, with its libraries in
 * `/lib64`. Rejects with the reason where they are not there.
 * @param init a script, the first program
 */
export async function makeReferenceRoot(root: string, { program, libraries }: Adbd, init: string): Promise<void> {
  for (const folder of ["bin", "data", "dev", "proc", "sys", "tmp", "etc"]) await mkdir(join(root, folder));
  await cp(BUSYBOX, join(root, "bin/busybox"));
  const { stdout: applets } = await run(BUSYBOX, ["--list"]);
  for (const applet of applets.trim().split("\n"))
    if (applet !== "busybox") await symlink("busybox", join(root, "bin", applet));
  await cp(program, join(root, "adbd"));
  const { stdout: needed } = await run("ldd", [program], { env: { LD_LIBRARY_PATH: libraries } });
  for (const [path] of needed.matchAll(/\/[^\s:()]+/g)) {
    // The loader is looked for at its own path, and the others beside it.
    const target = path.includes("ld-linux") ? path : join("/lib64", path.split("/").at(-1)!);
    await mkdir(dirname(join(root, target)), { recursive: true });
    await cp(path, join(root, target), { dereference: true });
  }
  for (const [path, text] of [
    ["init", init],
    ["bin/getprop", GETPROP],
  ] as const) {
    await rm(join(root, path), { force: true });
    await writeFile(join(root, path), text);
    await chmod(join(root, path), 0o755);
  }
}
