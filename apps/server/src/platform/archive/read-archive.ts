import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { FORMAT, Manifest, MANIFEST, MAX_PART_BYTES, type Part, partOf } from "./manifest.ts";
import { readTar, type TarEntry, TarError } from "./tar.ts";

/** The file is not an archive, not complete, damaged, or made by a newer version. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}

/** An archive whose sums were right. */
export interface Archive {
  /** What its writer said that it contains. */
  content: unknown;
  /** Reads the parts again, in order. Each is compared with its sum again, in case the file has changed since. */
  read(): AsyncGenerator<TarEntry>;
}

/**
 * Opens an archive, after reading all of it: every part must have the size and the SHA-256 that the manifest names.
 * @throws ArchiveError
 */
export async function openArchive(path: string): Promise<Archive> {
  const found: Part[] = [];
  let manifest: z.infer<typeof Manifest> | undefined;
  for await (const { name, content } of entriesOf(path)) {
    if (name === MANIFEST) manifest = readManifest(path, content);
    else found.push(partOf(name, content));
  }
  if (!manifest) throw new ArchiveError(`${path} is not complete: it has no ${MANIFEST}.`);
  const { content, parts } = manifest;
  parts.forEach((part, index) => checkPart(path, part, found[index]));
  if (found.length !== parts.length) throw new ArchiveError(`${path} has parts that it should not have.`);
  return { content, read: () => readParts(path, parts) };
}

async function* readParts(path: string, parts: Part[]): AsyncGenerator<TarEntry> {
  const entries = entriesOf(path);
  try {
    for (const part of parts) {
      const { value } = (await entries.next()) as { value?: TarEntry };
      checkPart(path, part, value && partOf(value.name, value.content));
      if (value) yield value;
    }
  } finally {
    await entries.return(undefined);
  }
}

function checkPart(path: string, wanted: Part, found: Part | undefined): void {
  const isSame = found?.name === wanted.name && found.bytes === wanted.bytes && found.sha256 === wanted.sha256;
  if (!isSame) throw new ArchiveError(`${path} is damaged: ${wanted.name} is not what was written.`);
}

async function* entriesOf(path: string): AsyncGenerator<TarEntry> {
  const file = createReadStream(path);
  const bytes = createGunzip();
  // An error of the file would not reach the reader by itself.
  file.on("error", (error) => bytes.destroy(error)).pipe(bytes);
  try {
    yield* readTar(bytes, MAX_PART_BYTES);
  } catch (error) {
    if (error instanceof TarError || isZlibError(error))
      throw new ArchiveError(`${path} is not a backup, or is damaged or incomplete (${error.message}).`, {
        cause: error,
      });
    throw error;
  } finally {
    file.destroy();
    bytes.destroy();
  }
}

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_");

function readManifest(path: string, text: Uint8Array): z.infer<typeof Manifest> {
  const json = parse(text);
  const { data: { format } = { format: 0 } } = z.object({ format: z.number() }).safeParse(json);
  if (format > FORMAT)
    throw new ArchiveError(`${path} was made by a newer version of Terrarium (format ${format}). Use that version.`);
  const { data: manifest } = Manifest.safeParse(json);
  if (!manifest) throw new ArchiveError(`${path} is not a backup, or is damaged: its ${MANIFEST} cannot be read.`);
  return manifest;
}

/** Undefined for what is no JSON. */
function parse(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString());
  } catch {
    return undefined;
  }
}
