import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { fetchAdbd, type GenuineAdbd, startGenuineAdbd } from "@terrarium/adb/testing";
import { systemClock } from "@terrarium/clock";
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushServer, type ScrcpyServer } from "./push-server.ts";

/** A daemon that runs, or why there is none. */
async function tryToStart(): Promise<GenuineAdbd | string> {
  const adbd = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  return await startGenuineAdbd(adbd).catch((error: Error) => error.message);
}

const adbd = await tryToStart();
if (typeof adbd === "string") console.warn(`skipped: scrcpy's server to the genuine adbd, since ${adbd}`);

describe.skipIf(typeof adbd === "string")("pushServer with the genuine adbd", () => {
  const daemon = adbd as GenuineAdbd;
  const bytes = randomBytes(100_000);
  const server: ScrcpyServer = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  let link: AdbLink;
  beforeAll(async () => {
    link = await connectAdb(nodeSocketDuplex(await daemon.connect()));
  });
  afterAll(async () => {
    link?.close();
    await daemon.stop();
  });

  it("puts the file there once", async () => {
    const path = join(daemon.folder, "tmp", "scrcpy-server.jar");
    const deps = { server, clock: systemClock, signal: AbortSignal.timeout(10_000), path };
    await pushServer(link, deps);
    expect(Buffer.compare(await readFile(path), bytes)).toBe(0);
    expect(await readdir(join(daemon.folder, "tmp"))).toEqual(["scrcpy-server.jar"]);
    const { ino } = await stat(path);
    await pushServer(link, deps);
    expect((await stat(path)).ino).toBe(ino);
  });
});
