const sentences = {
  EACCES: "Permission denied",
  EEXIST: "File exists",
  EINVAL: "Invalid argument",
  EIO: "I/O error",
  EISDIR: "Is a directory",
  ELOOP: "Too many symbolic links encountered",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
} as const;

export type FileErrorCode = keyof typeof sentences;

/** A refused file operation, with bionic's message. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, cause?: unknown) {
    super(sentences[code], { cause });
    this.code = code;
  }
}
