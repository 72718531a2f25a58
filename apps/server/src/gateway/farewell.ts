import { closeCodes, closeReasons } from "@terrarium/player";

/** Registered close codes (RFC 6455) on which the player reconnects by itself after three seconds. */
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** Why a viewer is disconnected: the close code and reason of its socket. */
export class Farewell extends Error {
  override readonly name = "Farewell";
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

export const farewells = {
  noToken: () => new Farewell(closeCodes.wrongToken, closeReasons.noToken),
  wrongToken: () => new Farewell(closeCodes.wrongToken, closeReasons.wrongToken),
  expiredToken: () => new Farewell(closeCodes.expiredToken, closeReasons.expiredToken),
  /** The device is over for good. */
  deviceEnded: () => new Farewell(closeCodes.shutdown, closeReasons.deviceEnded),
  serverStopping: () => new Farewell(closeCodes.shutdown, closeReasons.serverStopping),
  badMessage: () => new Farewell(closeCodes.badMessage, closeReasons.badMessage),
  /** The device lives on; its display is being reopened. */
  displayLost: () => new Farewell(SERVICE_RESTART, "display lost"),
  mediaLost: () => new Farewell(SERVICE_RESTART, "media connection lost"),
  uploadFailed: () => new Farewell(SERVICE_RESTART, "upload failed"),
  notReady: () => new Farewell(TRY_AGAIN_LATER, "display not ready"),
  tooManyViewers: () => new Farewell(TRY_AGAIN_LATER, closeReasons.tooManyViewers),
  serverTrouble: () => new Farewell(TRY_AGAIN_LATER, "server trouble"),
};
