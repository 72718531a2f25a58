import { DeviceFileError, type DeviceFiles, type FileEntry, type FileStat, type FileWriter } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import { FileError } from "../files/file-error.ts";
import type { Files } from "../files/files.ts";
import { type Node, statMode } from "../files/node.ts";
import { directoryName, joinPath } from "../files/path.ts";

const READ_BYTES = 64 * 1024;
const LINK_BITS = 0o120000;
const KIND_MASK = 0o170000;
const MAX_LINK_BYTES = 4096;

/** Translates a refusal to sync's terms. */
function refuse(error: unknown, path: string): never {
  if (!(error instanceof FileError)) throw error;
  // sync has no number for ENOTEMPTY: EEXIST comes closest, and the message says the rest.
  const errno = error.code === "ENOTEMPTY" ? "EEXIST" : error.code;
  throw new DeviceFileError(errno, `${path}: ${error.message}`);
}

/** `adb push`, `pull` and `ls` on the files of a device, as the user that adbd runs as now; each read waits for `diskRead`. */
export function adbFiles(filesNow: () => Files, diskRead: SimulatedDevice["diskRead"]): DeviceFiles {
  const statOf = (node: Node): FileStat => ({
    mode: statMode(node),
    size: filesNow().size(node),
    mtime: Math.floor(node.mtimeMs / 1000),
    uid: node.uid,
    gid: node.gid,
    nlink: 1,
    // There are no inode numbers here, but some clients read 0 as "no such file".
    ino: 1,
    dev: 1,
    atime: Math.floor(node.mtimeMs / 1000),
    ctime: Math.floor(node.mtimeMs / 1000),
  });
  return {
    async stat(path, followLinks) {
      const files = filesNow();
      try {
        return statOf(followLinks ? files.stat(path) : files.lstat(path));
      } catch (error) {
        return refuse(error, path);
      }
    },

    async list(path) {
      const files = filesNow();
      try {
        const entries = files.list(path).map(([name, node]): FileEntry => ({ name, ...statOf(node) }));
        return [
          { name: ".", ...statOf(files.stat(path)) },
          { name: "..", ...statOf(files.stat(joinPath(path, ".."))) },
          ...entries,
        ];
      } catch (error) {
        return refuse(error, path);
      }
    },

    async *read(path) {
      try {
        const reader = filesNow().open(path);
        for (let at = 0; ;) {
          const chunk = reader.read(at, READ_BYTES);
          if (chunk.length === 0) return;
          at += chunk.length;
          await diskRead(chunk.length, reader);
          yield chunk;
        }
      } catch (error) {
        refuse(error, path);
      }
    },

    async create(path, mode) {
      const files = filesNow();
      try {
        files.makeDirectories(directoryName(path), 0o775);
        return (mode & KIND_MASK) === LINK_BITS ? linkWriter(files, path) : fileWriter(files, path, mode & 0o777);
      } catch (error) {
        return refuse(error, path);
      }
    },
  };
}

function fileWriter(files: Files, path: string, mode: number): FileWriter {
  // adbd gives the group the owner's access.
  if (files.exists(path) && files.lstat(path).kind === "file") files.remove(path);
  const writer = files.create(path, mode | 0o060);
  return {
    async write(bytes) {
      try {
        writer.write(bytes);
      } catch (error) {
        refuse(error, path);
      }
    },
    async commit(mtime) {
      writer.close();
      try {
        files.setTime(path, mtime * 1000);
      } catch (error) {
        // Removed in the meantime: a real file would be written to the end, too.
        if (!(error instanceof FileError)) throw error;
      }
    },
    async discard() {
      writer.close();
      try {
        files.remove(path);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
      }
    },
  };
}

function linkWriter(files: Files, path: string): FileWriter {
  let target = "";
  return {
    async write(bytes) {
      target += new TextDecoder().decode(bytes).replaceAll("\0", "");
      if (target.length > MAX_LINK_BYTES) throw new DeviceFileError("ENAMETOOLONG", `${path}: File name too long`);
    },
    async commit() {
      try {
        if (files.exists(path)) files.remove(path);
        files.link(path, target);
      } catch (error) {
        refuse(error, path);
      }
    },
    async discard() {},
  };
}
