import { SCRCPY_SERVER_SHA256, SCRCPY_VERSION } from "@terrarium/scrcpy";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../platform/message-of.ts";
import { discard, spool } from "../../platform/files/spool.ts";
import { moveInto } from "../../platform/files/write-whole.ts";

/** Where scrcpy's release has it. */
const SCRCPY_SERVER_URL = `https://github.com/Genymobile/scrcpy/releases/download/v${SCRCPY_VERSION}/scrcpy-server-v${SCRCPY_VERSION}`;
/** The file is less than a hundredth of a gigabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * Downloads the server of scrcpy to a file, which is there only if it is the release that is supported, whoever sent it.
 * @throws Error that says what to do instead
 */
export async function fetchScrcpyServer(
  path: string,
  { url = SCRCPY_SERVER_URL, expected = SCRCPY_SERVER_SHA256 }: { url?: string | undefined; expected?: string },
): Promise<void> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!reply.ok || !reply.body) throw new Error(`it answered with ${reply.status}`);
    await mkdir(dirname(path), { recursive: true });
    const spooled = await spool(`${path}.${randomUUID()}`, reply.body, { maxBytes: MAX_BYTES });
    try {
      if (spooled.sha256 !== expected)
        throw new Error(`its SHA-256 is ${spooled.sha256}, and should be ${expected}; nothing of it was kept`);
      await moveInto(path, spooled);
    } finally {
      await discard(spooled);
    }
  } catch (cause) {
    throw new Error(
      `The server of scrcpy ${SCRCPY_VERSION} could not be fetched from ${url}: ${whyOf(cause)}. ` +
        `Download that file where there is internet, and name it in TERRARIUM_SCRCPY_SERVER.`,
      { cause },
    );
  }
}

/** `fetch` says that it failed, and what it was caused by. */
const whyOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
