const id = (name: string) => Buffer.from(name, "latin1").readUInt32LE(0);

/** The ids of the sync protocol (AOSP adb, SYNC.TXT and file_sync_protocol.h): four letters, little endian. */
export const syncId = {
  STAT: id("STAT"),
  STA2: id("STA2"),
  LST2: id("LST2"),
  LIST: id("LIST"),
  LIS2: id("LIS2"),
  DENT: id("DENT"),
  DNT2: id("DNT2"),
  SEND: id("SEND"),
  RECV: id("RECV"),
  DATA: id("DATA"),
  DONE: id("DONE"),
  OKAY: id("OKAY"),
  FAIL: id("FAIL"),
  QUIT: id("QUIT"),
};

/** The most that one DATA carries; adb refuses more. */
export const MAX_DATA_BYTES = 64 * 1024;
/** The longest path; for SEND this includes `,mode`. */
export const MAX_PATH_BYTES = 1024;
/** The longest name of an entry: 255 UTF-16 units on a FUSE card, 255 bytes elsewhere. */
export const MAX_NAME_BYTES = 1024;
/** A folder with more entries than this is not listed: the device may never stop. */
export const MAX_ENTRIES = 100_000;
/** The longest message of a FAIL. */
export const MAX_FAIL_BYTES = 4096;
