import { access } from "node:fs/promises";
import { join } from "node:path";
import { openDirectoryStore } from "./directory-store.ts";
import type { FileStore } from "./file-store.ts";
import { openS3Store, type S3Settings } from "./s3-store.ts";

interface Place {
  dataDir: string;
  s3: S3Settings | undefined;
}

const directoryIn = (dataDir: string): string => join(dataDir, "files");

/** False if there is no directory yet: opening the store would create it. */
export async function fileStoreExists({ dataDir, s3 }: Place): Promise<boolean> {
  if (s3) return true;
  return access(directoryIn(dataDir)).then(
    () => true,
    () => false,
  );
}

/** Opens the store that the settings select: the S3-compatible service if one is set, else a directory inside the data directory. */
export function openFileStore({ dataDir, s3 }: Place): Promise<FileStore> {
  return s3 ? openS3Store(s3, join(dataDir, "files-incoming")) : openDirectoryStore(directoryIn(dataDir));
}
