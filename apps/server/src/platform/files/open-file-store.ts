import { join } from "node:path";
import { openDirectoryStore } from "./directory-store.ts";
import type { FileStore } from "./file-store.ts";
import { openS3Store, type S3Settings } from "./s3-store.ts";

/** The store that the settings name: an S3-compatible service, else a directory beside the installation's other data. */
export function openFileStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | undefined }): Promise<FileStore> {
  return s3 ? openS3Store(s3, join(dataDir, "files-incoming")) : openDirectoryStore(join(dataDir, "files"));
}
