import type { Node } from "./node.ts";

/** Who asks for a file. */
export interface Identity {
  uid: number;
  gids: readonly number[];
}

export const ROOT: Identity = { uid: 0, gids: [0] };
/** The groups adbd gives its shell (AOSP packages/modules/adb/daemon/main.cpp). */
export const SHELL: Identity = {
  uid: 2000,
  gids: [2000, 1004, 1007, 1011, 1015, 1028, 1078, 1079, 3001, 3002, 3003, 3006, 3009, 3011, 3012],
};

const names: Record<number, string> = {
  0: "root",
  1000: "system",
  1004: "input",
  1007: "log",
  1011: "adb",
  1015: "sdcard_rw",
  1023: "media_rw",
  1028: "sdcard_r",
  1078: "ext_data_rw",
  1079: "ext_obb_rw",
  2000: "shell",
  3001: "net_bt_admin",
  3002: "net_bt",
  3003: "inet",
  3006: "net_bw_stats",
  3009: "readproc",
  3011: "uhid",
  3012: "readtracefs",
  9997: "everybody",
};

/** Android's name of a user or group id; application ids read `u0_a7`. */
export const nameOfId = (id: number): string =>
  names[id] ?? (id >= 10_000 && id < 20_000 ? `u0_a${id - 10_000}` : String(id));

export const MAY_READ = 4;
export const MAY_WRITE = 2;
export const MAY_ENTER = 1;

/** Whether the permission bits let this identity do what `want` says. */
export function permits(node: Node, who: Identity, want: number): boolean {
  if (who.uid === 0) return true;
  const shift = who.uid === node.uid ? 6 : who.gids.includes(node.gid) ? 3 : 0;
  return ((node.mode >> shift) & want) === want;
}
