import { AdbError } from "@terrarium/adb";
import { type Clock, within } from "@terrarium/clock";
import { AppError, type InstalledApp } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { type AppFile, type AppLink, installApp } from "../apps/install-app.ts";

/** Where files go that were not brought to a place. */
const FOLDER = "/sdcard/Download";
/** A device that failed may take that long to delete what it was given. */
const CLEAN_UP_TIMEOUT_MS = 5_000;
const MAX_NAME_BYTES = 240;
/** Of a device's words, as much as is passed on. */
const MAX_WORDS = 500;

/** Where on a device a file is put. */
export const placeOf = ({ name, folder = FOLDER }: { name: string; folder?: string | undefined }): string =>
  `${folder}/${name}`;

/**
 * Gives a device a file while it arrives: an APK is installed and opened, any other is put into Download, in place of one with its name. Where
 * a folder is named, every file is put there.
 * Rejects with FILE_REFUSED and the device's words, as `installApp`, with an `AdbError`, or with the signal's reason; nothing is left on
 * the device then.
 */
export async function putFile(
  link: AppLink,
  file: AppFile & { name: string; folder?: string | undefined },
  deps: { clock: Clock; signal: AbortSignal },
): Promise<InstalledApp | undefined> {
  if (file.folder === undefined && /\.apk$/i.test(file.name)) return installApp(link, file, deps);
  const { clock, signal } = deps;
  // Under another name until it is complete, so that a file that is there already is not lost to half of another.
  const place = placeOf(file);
  const part = `${place.slice(0, -file.name.length - 1)}/.${randomUUID()}.part`;
  try {
    await link.push({ path: part, mtime: Math.trunc(clock.now() / 1000), source: file.source, signal });
    const { exitCode, stdout, stderr } = await link.shell(["mv", "-f", part, place], { signal });
    if (exitCode !== 0) throw refused(`${stdout}${stderr}`.trim());
    return undefined;
  } catch (error) {
    await within(CLEAN_UP_TIMEOUT_MS, clock, new AbortController().signal, (limited) =>
      link.shell(["rm", "-f", part], { signal: limited }),
    ).catch(() => undefined);
    signal.throwIfAborted();
    throw error instanceof AdbError && error.code === "FAILED" ? refused(error.message) : error;
  }
}

const refused = (words: string): AppError => {
  const reason = /no space left|not enough space|ENOSPC/i.test(words) ? "FULL" : "OTHER";
  return new AppError("FILE_REFUSED", { details: { reason, words: words.slice(0, MAX_WORDS) } });
};

/** The name that a file gets on a device, whatever a client calls it: the last part of a path; undefined if there is none. */
export function fileNameOf(given: string): string | undefined {
  const name = given.slice(given.search(/[^/\\]*$/));
  const isOne = name !== "" && name !== "." && name !== ".." && !/\p{Cc}/u.test(name);
  return isOne && Buffer.byteLength(name) <= MAX_NAME_BYTES ? name : undefined;
}
