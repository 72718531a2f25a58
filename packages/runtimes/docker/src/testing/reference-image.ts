import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { spawn } from "node:child_process";
import { promisify } from "node:util";
import type { Adbd } from "@terrarium/adb/testing";

const run = promisify(execFile);
const BUSYBOX = "/bin/busybox";

/** Keeps what it was started with, as redroid's init does, and is Android as far as adb is. */
const INIT = `#!/bin/sh
for word; do echo "$word"; done > /boot-arguments
mkdir -p /data/local/tmp
[ "$1" = silent ] && exec sleep 1000000
exec /adbd
`;
const GETPROP = `#!/bin/sh
[ "$1" = sys.boot_completed ] && echo 1
`;

/** A tar of a device of 16 MB: Debian's busybox and the genuine adbd. Rejects with the reason where they are not there. */
export async function referenceImage({ program, libraries }: Adbd): Promise<Buffer> {
  const root = await mkdtemp(join(tmpdir(), "terrarium-image-"));
  try {
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
      ["init", INIT],
      ["bin/getprop", GETPROP],
    ] as const) {
      await rm(join(root, path), { force: true });
      await writeFile(join(root, path), text);
      await chmod(join(root, path), 0o755);
    }
    const tar = spawn("tar", ["-C", root, "-c", "."], { stdio: ["ignore", "pipe", "inherit"] });
    return await buffer(tar.stdout);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What `docker import` is told of it. */
export const imageChanges = (...more: string[]): string[] => [
  `ENTRYPOINT ${JSON.stringify(["/init", ...more])}`,
  "ENV PATH=/bin LD_LIBRARY_PATH=/lib64",
];

export const asStream = (bytes: Buffer): Readable => Readable.from([bytes]);
