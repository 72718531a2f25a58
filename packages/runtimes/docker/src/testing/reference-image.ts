import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Adbd, makeReferenceRoot } from "@terrarium/adb/testing";

/** Stores what it was started with, as redroid's init does, and is Android as far as adb is. */
const INIT = `#!/bin/sh
for word; do echo "$word"; done > /boot-arguments
mkdir -p /data/local/tmp
[ "$1" = silent ] && exec sleep 1000000
exec /adbd
`;

/** A tar of the reference device. Rejects with the reason where it cannot be made. */
export async function referenceImage(adbd: Adbd): Promise<Buffer> {
  const root = await mkdtemp(join(tmpdir(), "terrarium-image-"));
  try {
    await makeReferenceRoot(root, adbd, INIT);
    const tar = spawn("tar", ["-C", root, "-c", "."], { stdio: ["ignore", "pipe", "inherit"] });
    return await buffer(tar.stdout);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Its options for `docker import`. */
export const imageChanges = (...more: string[]): string[] => [
  `ENTRYPOINT ${JSON.stringify(["/init", ...more])}`,
  "ENV PATH=/bin LD_LIBRARY_PATH=/lib64",
];

export const asStream = (bytes: Buffer): Readable => Readable.from([bytes]);
