import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Layer } from "@terrarium/runtime";
import { STACK_FILE } from "@terrarium/simulator";
import { z } from "zod";

const MAX_STACK_BYTES = 16 * 1024 * 1024;
const MAX_LAYERS = 65_536;

// Counted first, so that a list of millions does not get an error for each item.
const Stack = z
  .array(z.unknown())
  .max(MAX_LAYERS)
  .pipe(z.array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().min(0) })));

/** The layers that a host lists in the folder of a save. @throws Error if it is not such a list, or has more than 65,536 layers or 16 MiB */
export async function readStack(folder: string): Promise<Layer[]> {
  // Nobody else has a link to it: a host might link to a file that it cannot read itself.
  const file = await openFile(join(folder, STACK_FILE), ({ size, nlink }) => size <= MAX_STACK_BYTES && nlink === 1);
  const { data, error } = Stack.safeParse(parse(await text(file.createReadStream({ end: MAX_STACK_BYTES }))));
  if (error) throw new Error("the host's list of layers is not valid");
  return data;
}

/** The bytes of a layer, from the first of the folders that has it. They may be others than its name says. */
export async function* bytesOf({ sha256, size }: Layer, folders: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const folder of folders) {
    const file = await openFile(join(folder, sha256), (stats) => stats.size === size).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        return undefined;
      },
    );
    if (file) return yield* file.createReadStream() as AsyncIterable<Buffer>;
  }
  throw new Error(`layer ${sha256} is not there`);
}

/**
 * Opens what a host may have left. It has fewer rights than we have and may be hostile: it must not lead us to other files by a link, nor
 * block us at a FIFO.
 */
async function openFile(path: string, isExpected: (stats: Stats) => boolean): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (stats.isFile() && isExpected(stats)) return file;
  await file.close();
  throw new Error(`${path} is not the file that was expected`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Its message would quote the file.
    return undefined;
  }
}
