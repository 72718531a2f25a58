import { join } from "node:path";
import { openDirectoryStore } from "./directory-store.ts";
import type { FileStore } from "./file-store.ts";
import { openS3Store, type S3Settings } from "./s3-store.ts";

/** Opens the store that the settings select: the S3-compatible service if one is set, else a directory inside the data directory. */
export function openFileStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | undefined }): Promise<FileStore> {
  return s3 ? openS3Store(s3, join(dataDir, "files-incoming")) : openDirectoryStore(join(dataDir, "files"));
}
