import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { AdbKey } from "./adb-key.ts";
import type { KeySource } from "./host-auth.ts";

export const adbKeyFile = (dataDir: string): string => join(dataDir, "adbkey");

/**
 * The key by which devices know this installation: `adbkey` in the data directory, in the stock adb's own format, so that a
 * key that devices know already can be put there. It is made when a device first asks for one; only its owner can read it.
 */
export function adbKeyIn(dataDir: string): KeySource {
  let key: Promise<AdbKey> | undefined;
  return () => {
    key ??= readOrMake(dataDir);
    // A folder that could not be written may be mended by the time the next device asks.
    key.catch(() => (key = undefined));
    return key;
  };
}

async function readOrMake(dataDir: string): Promise<AdbKey> {
  const path = adbKeyFile(dataDir);
  const comment = `terrarium@${hostname()}`;
  const known = await readKey(path);
  if (known !== undefined) return new AdbKey(known, comment);
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, await AdbKey.generatePem(), { mode: 0o600, flag: "wx" });
  try {
    // Unlike a rename this never replaces a key: of two processes that make one, the first wins and both use it.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await unlink(temporary);
  }
  return new AdbKey(await readFile(path, "utf8"), comment);
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
