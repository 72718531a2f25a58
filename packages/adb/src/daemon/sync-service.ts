import { ByteReader } from "../byte-reader.ts";
import type { ByteStream } from "../byte-stream.ts";
import { MAX_DATA_BYTES, MAX_PATH_BYTES, syncId } from "../sync/constants.ts";
import { encodeEntry, encodeEntry2, encodeListEnd } from "../sync/entry.ts";
import { decodeFrame, encodeBlock, encodeFail, encodeFrame, FRAME_HEADER_BYTES } from "../sync/sync-frame.ts";
import { encodeStat, encodeStat2 } from "../sync/stat.ts";
import { DeviceFileError, type DeviceFiles, type FileStat } from "./device-files.ts";
import { receiveFile } from "./sync-send.ts";

const decoder = new TextDecoder();

interface SyncSession {
  stream: ByteStream;
  reader: ByteReader;
  files: DeviceFiles;
  report: ((error: unknown) => void) | undefined;
}

/** Answers the requests of one `sync:` stream until the host quits. */
export async function serveSync(
  stream: ByteStream,
  files: DeviceFiles,
  report: ((error: unknown) => void) | undefined,
): Promise<void> {
  const session = { stream, reader: new ByteReader(stream), files, report };
  while (await answerOne(session));
  await stream.end();
}

/** Returns false when the host is done, or has sent what cannot be understood. */
async function answerOne(session: SyncSession): Promise<boolean> {
  const { stream, reader, files, report } = session;
  const header = await reader.exactlyOrEnd(FRAME_HEADER_BYTES);
  if (!header) return false;
  const { id, value: length } = decodeFrame(header);
  if (id === syncId.QUIT) return false;
  if (length > MAX_PATH_BYTES) {
    await stream.write(encodeFail("path too long"));
    return false;
  }
  const path = decoder.decode(await reader.exactly(length));
  if (id === syncId.STAT) await stream.write(await statAnswer(files, path));
  else if (id === syncId.STA2 || id === syncId.LST2) await stream.write(await stat2Answer(files, path, id));
  else if (id === syncId.LIST || id === syncId.LIS2) await answerList(session, path, id === syncId.LIS2);
  else if (id === syncId.RECV) await sendFile(session, path);
  else if (id === syncId.SEND) return await receiveFile(stream, reader, path, { files, report });
  else {
    await stream.write(encodeFail("unknown command"));
    return false;
  }
  return true;
}

async function statAnswer(files: DeviceFiles, path: string): Promise<Uint8Array> {
  const stat = await statOrError(files, path, false);
  return concat(idBytes(syncId.STAT), encodeStat(stat instanceof DeviceFileError ? undefined : stat));
}

async function stat2Answer(files: DeviceFiles, path: string, id: number): Promise<Uint8Array> {
  const stat = await statOrError(files, path, id === syncId.STA2);
  return concat(idBytes(id), encodeStat2(stat instanceof DeviceFileError ? stat.errno : stat));
}

async function statOrError(
  files: DeviceFiles,
  path: string,
  followLinks: boolean,
): Promise<FileStat | DeviceFileError> {
  try {
    return await files.stat(path, followLinks);
  } catch (error) {
    if (error instanceof DeviceFileError) return error;
    throw error;
  }
}

/** A folder that cannot be read is listed as empty: the protocol has no other answer. */
async function answerList({ stream, files }: SyncSession, path: string, isVersion2: boolean): Promise<void> {
  const encode = isVersion2 ? encodeEntry2 : encodeEntry;
  try {
    for (const entry of await files.list(path)) await stream.write(encode(entry));
  } catch (error) {
    if (!(error instanceof DeviceFileError)) throw error;
  }
  await stream.write(encodeListEnd(isVersion2));
}

/**
 * Answers RECV. The last DATA and DONE go out in one write: apart, DONE would sit in the socket between adb's server and
 * its client until the kernel's delayed acknowledgement, which costs 40 ms for each small file.
 */
async function sendFile({ stream, files }: SyncSession, path: string): Promise<void> {
  let last: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of files.read(path))
      for (let at = 0; at < chunk.length; at += MAX_DATA_BYTES) {
        if (last.length > 0) await stream.write(last);
        last = encodeBlock(syncId.DATA, chunk.subarray(at, at + MAX_DATA_BYTES));
      }
  } catch (error) {
    if (!(error instanceof DeviceFileError)) throw error;
    await stream.write(concat(last, encodeFail(`open failed: ${error.message}`)));
    return;
  }
  await stream.write(concat(last, encodeFrame(syncId.DONE)));
}

const idBytes = (id: number) => encodeFrame(id).subarray(0, 4);

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
