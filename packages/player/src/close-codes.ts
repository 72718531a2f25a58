/**
 * How the server closes a signalling socket. The player raises a window event for each. It reconnects by itself, after three
 * seconds, on 1002, 1003 and 1006 to 1015, and on no other code.
 */
export const closeCodes = {
  /** The page or the server is done; no retry. */
  normal: 1000,
  /** The browser broke the protocol; a retry would do the same. */
  badMessage: 1008,
  /** The token was never valid for this device (`closeWrongToken`). */
  wrongToken: 4242,
  /** The token is no longer valid (`closeNoLongerValidToken`); the page gets a new one and rebuilds the player. */
  expiredToken: 4243,
  /** The device or the server is shutting down (`closeServerShutdown`); `closeReasons` say which. */
  shutdown: 4244,
} as const;

/** The reason sent with a close code, so that a page knows what happened. */
export const closeReasons = {
  /** With `shutdown`: the device has ended; there is nothing to come back to. */
  deviceEnded: "device ended",
  /** With `shutdown`: the server is going away, but the device may live on; check its state, then reconnect. */
  serverStopping: "server stopping",
  wrongToken: "wrong token",
  expiredToken: "token expired",
  noToken: "no token in time",
  badMessage: "bad message",
  tooManyViewers: "too many viewers",
} as const;
