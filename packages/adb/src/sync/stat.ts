import { errnos, type Errno, type FileStat } from "../daemon/device-files.ts";

export const STAT_BYTES = 12;
export const STAT2_BYTES = 68;

const MAX_UINT32 = 0xffffffff;

/** Version 1 without its id: mode, size, mtime, each u32; a size beyond 4 GiB is cut as adbd does. No such file: zeros. */
export function encodeStat(stat: FileStat | undefined): Uint8Array {
  const bytes = new Uint8Array(STAT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, stat?.mode ?? 0, true);
  view.setUint32(4, Math.min(stat?.size ?? 0, MAX_UINT32), true);
  view.setUint32(8, stat?.mtime ?? 0, true);
  return bytes;
}

export function decodeStat(bytes: Uint8Array): { mode: number; size: number; mtime: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { mode: view.getUint32(0, true), size: view.getUint32(4, true), mtime: view.getUint32(8, true) };
}

/**
 * Version 2 without its id:
 *
 *     0      4      12     20     24     28     32     36     44     52     60     68
 *     +------+------+------+------+------+------+------+------+------+------+------+
 *     | errno| dev  | ino  | mode | nlink| uid  | gid  | size | atime| mtime| ctime|
 *     +------+------+------+------+------+------+------+------+------+------+------+
 */
export function encodeStat2(stat: FileStat | Errno): Uint8Array {
  const bytes = new Uint8Array(STAT2_BYTES);
  const view = new DataView(bytes.buffer);
  if (typeof stat === "string") {
    view.setUint32(0, errnos[stat], true);
    return bytes;
  }
  view.setBigUint64(4, whole(stat.dev ?? 1), true);
  view.setBigUint64(12, whole(stat.ino ?? 1), true);
  view.setUint32(20, stat.mode, true);
  view.setUint32(24, stat.nlink ?? 1, true);
  view.setUint32(28, stat.uid ?? 0, true);
  view.setUint32(32, stat.gid ?? 0, true);
  view.setBigUint64(36, whole(stat.size), true);
  view.setBigInt64(44, whole(stat.atime ?? stat.mtime), true);
  view.setBigInt64(52, whole(stat.mtime), true);
  view.setBigInt64(60, whole(stat.ctime ?? stat.mtime), true);
  return bytes;
}

/** `errno` is 0 when the rest is valid. */
export function decodeStat2(bytes: Uint8Array): { errno: number; mode: number; size: number; mtime: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    errno: view.getUint32(0, true),
    mode: view.getUint32(20, true),
    size: Number(view.getBigUint64(36, true)),
    mtime: Number(view.getBigInt64(52, true)),
  };
}

const whole = (value: number) => BigInt(Math.trunc(value));
