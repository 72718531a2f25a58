import { AppError } from "@terrarium/contract";
import { isIP } from "node:net";
import { isLoopback } from "../../platform/http/hosts.ts";

/** What browsers make and use passkeys for. They store them by host name, and sign the origin of the page. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Undefined where browsers know no passkeys: without TLS, but for this machine, and where the host is an IP address. */
export function findRelyingParty(origin: string): RelyingParty | undefined {
  const { protocol, hostname: id } = new URL(origin);
  const isAddress = isIP(id) !== 0 || id.startsWith("[");
  return !isAddress && (protocol === "https:" || isLoopback(id)) ? { id, origin } : undefined;
}

/** @throws AppError PASSKEYS_NOT_AVAILABLE */
export function relyingPartyAt(origin: string): RelyingParty {
  const party = findRelyingParty(origin);
  if (!party) throw new AppError("PASSKEYS_NOT_AVAILABLE");
  return party;
}
