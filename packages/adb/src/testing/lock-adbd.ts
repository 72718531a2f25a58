import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `lea auth_required(%rip), %rax; movb $0, (%rax)`: Debian's build turns authentication off here, and nowhere else. */
const TURNED_OFF = new RegExp(String.raw`\x48\x8d\x05[^]{4}\xc6\x00\x00`, "g");
const VENDOR_KEYS = /\0\/adb_keys\0/g;
const USER_KEYS = /\0\/data\/misc\/adb\/adb_keys\0/g;
/** Relative, so that the keys are read from the folder in which adbd is started. */
const KEYS_FILE = "adb_keys";

/**
 * Writes into `folder` a copy of adbd that asks for a key, as on a phone, and the keys that it knows. Start it there.
 * Rejects when this build has not exactly the places that are to be changed.
 * @returns the path of the copy
 */
export async function lockAdbd(program: string, folder: string, keys: readonly string[]): Promise<string> {
  const original = (await readFile(program)).toString("latin1");
  const locked = [
    { place: TURNED_OFF, change: (found: string) => `${found.slice(0, -1)}\x01` },
    { place: VENDOR_KEYS, change: (found: string) => padded(KEYS_FILE, found.length) },
    { place: USER_KEYS, change: (found: string) => padded("nowhere", found.length) },
  ].reduce((text, { place, change }) => {
    if (text.match(place)?.length !== 1) throw new Error("this build of adbd cannot be made to ask for a key");
    return text.replace(place, change);
  }, original);
  const path = join(folder, "adbd-locked");
  await writeFile(path, Buffer.from(locked, "latin1"), { mode: 0o755 });
  await writeFile(join(folder, KEYS_FILE), keys.map((key) => `${key}\n`).join(""));
  return path;
}

const padded = (path: string, length: number) => `\0${path}`.padEnd(length, "\0");
