/** The seven commands of adb's transport protocol (AOSP packages/modules/adb, protocol.md): ASCII, little endian. */
export const command = {
  /** arg0 version, arg1 largest payload, payload the banner. */
  CNXN: 0x4e584e43,
  /** arg0 sender's id, arg1 the bytes it takes unacknowledged (0 without `delayed_ack`), payload the service's name and a NUL. */
  OPEN: 0x4e45504f,
  /**
   * arg0 sender's id, arg1 receiver's: the answer to OPEN and to each WRTE. With `delayed_ack` a signed number of 32 bits is its payload: the
   * bytes that are taken unacknowledged in the first, those that were taken since the last in the others.
   */
  OKAY: 0x59414b4f,
  /** arg0 sender's id, arg1 receiver's, payload the bytes. */
  WRTE: 0x45545257,
  /** arg0 sender's id (0 when it refuses an OPEN), arg1 receiver's. */
  CLSE: 0x45534c43,
  /** The device asks for a signed token. */
  AUTH: 0x48545541,
  /** The device asks for TLS. */
  STLS: 0x534c5453,
} as const;

export const commandNames: ReadonlyMap<number, string> = new Map(
  Object.entries(command).map(([name, value]) => [value, name]),
);

/** The version since which checksums are ignored (adb of 2017). Older ones check them. */
export const VERSION = 0x01000001;

export const HEADER_BYTES = 24;

/** The largest payload that adb offers today. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** What every version accepts; also the limit until both sides have sent theirs. */
export const MIN_PAYLOAD_BYTES = 4096;

/**
 * With this feature on both sides a stream has more than one packet on its way (AOSP packages/modules/adb, docs/dev/delayed_ack.md): as
 * many bytes as the receiver says, which it raises as it takes them.
 */
export const DELAYED_ACK = "delayed_ack";

/** What we take unacknowledged on a stream with `delayed_ack`: what fills a slow line, and is not yet many old pictures. */
export const WINDOW_BYTES = 256 * 1024;
