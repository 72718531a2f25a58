import type { AdbLink } from "@terrarium/adb";
import { type Clock, within } from "@terrarium/clock";
import { SCRCPY_SERVER_SHA256, SCRCPY_VERSION, SERVER_PATH } from "@terrarium/scrcpy";
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";

/** How long a device that failed may take to delete what it was given. */
const CLEAN_UP_TIMEOUT_MS = 1_000;

/** The file of scrcpy's server, checked to be the version that we speak with. */
export interface ScrcpyServer {
  bytes: Uint8Array;
  sha256: string;
}

/**
 * Reads the file that the operator gave. Rejects when it cannot be read or is not the release that is supported: devices
 * would run whatever it is.
 */
export async function readScrcpyServer(path: string, expected = SCRCPY_SERVER_SHA256): Promise<ScrcpyServer> {
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new Error(`TERRARIUM_SCRCPY_SERVER cannot be read: ${cause.message}`, { cause });
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== expected)
    throw new Error(
      `TERRARIUM_SCRCPY_SERVER is not the scrcpy-server of release ${SCRCPY_VERSION}: ` +
        `the SHA-256 of ${path} is ${sha256}, and should be ${expected}.`,
    );
  return { bytes, sha256 };
}

/** What is needed of an adb link. */
export type PushLink = Pick<AdbLink, "push" | "shell">;

export interface PushDeps {
  /** Undefined when the operator gave none: then the device must have it. */
  server: ScrcpyServer | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Where it goes on the device. */
  path?: string;
}

/**
 * Puts scrcpy's server on the device, unless this very file is there already. It is written under another name and renamed
 * when it is whole, so that nobody ever starts half of it. Rejects with the signal's reason, an `AdbError`, or an error that
 * says what the operator has to do.
 */
export async function pushServer(
  link: PushLink,
  { server, clock, signal, path = SERVER_PATH }: PushDeps,
): Promise<void> {
  // A device without `sha256sum` prints nothing that fits, and is given the file each time.
  const { stdout } = await link.shell(["sha256sum", path], { signal });
  const present = /^[0-9a-f]{64}\b/.exec(stdout)?.[0];
  if (present === (server?.sha256 ?? SCRCPY_SERVER_SHA256)) return;
  if (!server)
    throw new Error(
      `the device has no server of scrcpy ${SCRCPY_VERSION}: get it by "npm run operator -- scrcpy fetch" and restart, or ` +
        `name the file scrcpy-server-v${SCRCPY_VERSION} of its release in TERRARIUM_SCRCPY_SERVER`,
    );
  const temporary = `${path}.${randomUUID()}`;
  try {
    const mtime = Math.trunc(clock.now() / 1000);
    await link.push({ path: temporary, mode: 0o644, mtime, source: [server.bytes], signal });
    const { exitCode, stderr } = await link.shell(["mv", "-f", temporary, path], { signal });
    if (exitCode !== 0) throw new Error(`scrcpy's server could not be put in its place: ${stderr.trim()}`);
  } catch (error) {
    // Also when it was called off: with the aborted signal the command would not be sent.
    const never = new AbortController().signal;
    await within(CLEAN_UP_TIMEOUT_MS, clock, never, (limited) =>
      link.shell(["rm", "-f", temporary], { signal: limited }),
    ).catch(() => undefined);
    throw error;
  }
}
