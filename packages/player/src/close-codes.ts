/**
 * How the server closes a signalling socket. The player shows each by a window event of its own; it reconnects by itself,
 * three seconds later, on 1002, 1003 and 1006 to 1015 and on no other code.
 */
export const closeCodes = {
  /** The page or the server is done; no retry. */
  normal: 1000,
  /** What was sent is none of the protocol; the player would try again. */
  badMessage: 1008,
  /** The token was never good for this device (`closeWrongToken`). */
  wrongToken: 4242,
  /** The token was good and no longer is (`closeNoLongerValidToken`); the page gets a new one and rebuilds the player. */
  expiredToken: 4243,
  /** The device or the server ends (`closeServerShutdown`); the reason says which, see `closeReasons`. */
  shutdown: 4244,
} as const;

/** The reason beside a close code, so that a page can tell what happened. */
export const closeReasons = {
  /** With `shutdown`: this device is over; there is nothing to come back to. */
  deviceEnded: "device ended",
  /** With `shutdown`: the server goes away and the device may live on; ask for its state, then open it anew. */
  serverStopping: "server stopping",
  wrongToken: "wrong token",
  expiredToken: "token expired",
  noToken: "no token in time",
  badMessage: "bad message",
  tooManyViewers: "too many viewers",
} as const;
