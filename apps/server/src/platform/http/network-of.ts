import { isIPv6 } from "node:net";

/**
 * Whom limits by address count as one: an IPv4 address, or the /64 network of an IPv6 address, as a single customer of a provider
 * has at least that many.
 */
export function networkOf(address: string): string {
  // How sockets that listen on both families show IPv4 addresses.
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0");
  const network = [...groups(head), ...zeros, ...groups(tail)].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
