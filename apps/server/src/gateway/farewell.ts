import { closeCodes, closeReasons } from "@terrarium/player";

/** Codes of RFC 6455's registry on which the player tries again by itself, three seconds later. */
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** Why a viewer is sent away, as its socket is told. */
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
  /** The device lives, its display is being opened again. */
  displayLost: () => new Farewell(SERVICE_RESTART, "display lost"),
  mediaLost: () => new Farewell(SERVICE_RESTART, "media connection lost"),
  notReady: () => new Farewell(TRY_AGAIN_LATER, "display not ready"),
  tooManyViewers: () => new Farewell(TRY_AGAIN_LATER, closeReasons.tooManyViewers),
  serverTrouble: () => new Farewell(TRY_AGAIN_LATER, "server trouble"),
};
