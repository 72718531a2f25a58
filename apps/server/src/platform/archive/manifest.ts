import { createHash } from "node:crypto";
import { z } from "zod";

/** The last file of an archive; without it, the archive is not complete. */
export const MANIFEST = "manifest.json";

/** The version of the archive's format. A change that older versions would misread raises it. */
export const FORMAT = 1;

/** The size of the parts that large contents are cut into, so that neither side holds more than one in memory. */
export const PART_BYTES = 4 * 1024 ** 2;

/** The manifest has some 130 bytes for each part, so this is enough for terabytes. */
export const MAX_PART_BYTES = 64 * 1024 ** 2;

const Part = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });

/** A file of the archive, in the order in which they are stored. */
export type Part = z.infer<typeof Part>;

/** Reads the manifest of this format. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  parts: z.array(Part),
  /** What the archive contains, in the terms of those who write and read it. */
  content: z.unknown(),
});

export const partOf = (name: string, content: Uint8Array): Part => ({
  name,
  bytes: content.byteLength,
  sha256: createHash("sha256").update(content).digest("hex"),
});
