import { isIP } from "node:net";
import { hostname } from "node:os";

/** Whether only programs of the same machine reach this host; for names, whether browsers see to it. `::1` may have brackets. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host);
  if (isIP(name) === 0) return name === "localhost" || name.endsWith(".localhost");
  return name === "::1" || name.startsWith("127.");
}

/**
 * Whether a host name in a request can only mean this machine. Other names may have been pointed at it by a stranger, whose page would
 * then pass for one of ours (DNS rebinding); an address cannot be pointed anywhere.
 */
export const cannotBeRebound = (host: string): boolean =>
  isLoopback(host) || isIP(withoutBrackets(host)) !== 0 || host === hostname().toLowerCase();

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");
