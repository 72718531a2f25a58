/** How the service closes a tunnel. What displays close with holds here as well. */
export const closeCodes = {
  /** The device has closed the connection, as it does when its adb restarts. */
  adbClosed: 1000,
  /** Not for this person, or not what a tunnel understands. */
  refused: 1008,
  /** Too many are connected; also said while a device is not ready. */
  tooMany: 1013,
  wrongToken: 4242,
  /** Get another token and come again; also said when the right to be here has ended. */
  expiredToken: 4243,
  /** The device has ended, or the service stops. */
  shutdown: 4244,
  /** What was to be resumed is gone. */
  notResumable: 4410,
  /** The same client has come with another socket. */
  resumed: 4411,
} as const;
