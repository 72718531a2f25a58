/**
 * The arg0 of an AUTH packet, which says what its payload is (AOSP packages/modules/adb, protocol.md):
 *
 *     host                              device
 *       CNXN  ------------------------>
 *             <------------------------  AUTH TOKEN, 20 random bytes
 *       AUTH SIGNATURE  -------------->           once for each key that the host has,
 *             <------------------------  AUTH TOKEN        until the device knows one,
 *       AUTH RSAPUBLICKEY  ----------->           or the person at the device accepts one
 *             <------------------------  CNXN
 */
export const authType = { TOKEN: 1, SIGNATURE: 2, RSAPUBLICKEY: 3 } as const;

/** As long as a SHA-1 hash: a token is signed as if it were one. */
export const TOKEN_BYTES = 20;

export interface AuthMessage {
  type: number;
  data: Uint8Array;
}

/** One side's part of the talk before both are connected. */
export interface Auth {
  /** What the device asks a host that says CNXN; a host asks nothing. */
  ask?(): AuthMessage;
  /**
   * Answers an AUTH of the peer; "accepted" lets the host in. Throws `AdbError` `PROTOCOL`, `AUTH_REQUIRED` or
   * `AUTH_REFUSED`, which ends the connection.
   */
  answer(message: AuthMessage, gone: AbortSignal): Promise<AuthMessage | "accepted">;
}
