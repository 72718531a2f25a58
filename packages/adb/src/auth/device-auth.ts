import { randomBytes } from "node:crypto";
import { AdbError } from "../errors.ts";
import { type Auth, type AuthMessage, authType, TOKEN_BYTES } from "./auth-message.ts";
import { parsePublicKey } from "./public-key.ts";
import { isSignature } from "./signature.ts";

/** Who may use a device's adb. */
export interface DeviceAuthOptions {
  /** The keys that are let in, a line each as in Android's `/data/misc/adb/adb_keys`. Lines that are no key are passed over. */
  keys(): Iterable<string>;
  /**
   * Asks whoever owns the device about a key that is not known. It may take its time; the signal aborts when the host
   * has left. Without it such a key is refused.
   */
  accept?(publicKey: string, gone: AbortSignal): boolean | Promise<boolean>;
}

/** The stock adb tries every key it has, and nobody has this many. */
const MAX_SIGNATURES = 32;

/** Lets in who signs a token with a known key, or whose key is accepted. */
export function deviceAuth({ keys, accept }: DeviceAuthOptions): Auth {
  let token: Uint8Array = new Uint8Array(0);
  let signatures = 0;
  // A new token each time: an old signature must be worth nothing.
  const ask = (): AuthMessage => ({ type: authType.TOKEN, data: (token = randomBytes(TOKEN_BYTES)) });
  return {
    ask,
    async answer({ type, data }, gone) {
      if (type === authType.SIGNATURE) {
        if (++signatures > MAX_SIGNATURES) throw new AdbError("AUTH_REFUSED", "the host has none of the known keys");
        for (const line of keys()) {
          const known = parsePublicKey(line);
          if (known && isSignature(known.key, token, data)) return "accepted";
        }
        return ask();
      }
      if (type !== authType.RSAPUBLICKEY) throw new AdbError("PROTOCOL", `an AUTH of type ${type} from a host`);
      const line = new TextDecoder().decode(data).replace(/\0.*$/s, "");
      if (!parsePublicKey(line)) throw new AdbError("PROTOCOL", "the host offers a key that is none");
      if (await accept?.(line, gone)) return "accepted";
      throw new AdbError("AUTH_REFUSED", "the host's key is not accepted");
    },
  };
}
