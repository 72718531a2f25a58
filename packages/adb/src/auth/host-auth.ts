import { AdbError } from "../errors.ts";
import type { AdbKey } from "./adb-key.ts";
import { type Auth, type AuthMessage, authType, TOKEN_BYTES } from "./auth-message.ts";

/** Gives the key when a device asks for one; most never do. */
export type KeySource = () => AdbKey | Promise<AdbKey>;

/** Signs the device's first token; at the second the device does not know the key, and is offered it. */
export function hostAuth(keySource: KeySource | undefined): Auth {
  let tokens = 0;
  return {
    async answer({ type, data }): Promise<AuthMessage> {
      if (type !== authType.TOKEN || data.length !== TOKEN_BYTES)
        throw new AdbError("PROTOCOL", "the device asks for a signature without a token");
      if (!keySource) throw new AdbError("AUTH_REQUIRED", "the device asks for an authorised key");
      if (++tokens > 2) throw new AdbError("AUTH_REFUSED", "the device does not accept the key");
      const key = await keySource();
      if (tokens === 1) return { type: authType.SIGNATURE, data: key.sign(data) };
      return { type: authType.RSAPUBLICKEY, data: new TextEncoder().encode(`${key.publicKey}\0`) };
    },
  };
}
