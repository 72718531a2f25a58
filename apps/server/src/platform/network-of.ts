import { isIPv6 } from "node:net";

/**
 * What limits count as one address: an IPv4 address itself; of an IPv6 address its first 64 bits, as each customer has at least that many
 * addresses to choose from.
 */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  // `::` stands for as many groups of zero as are missing.
  const [before = [], after = []] = address
    .replace(/%.*/, "")
    .replace(/\d+(\.\d+){3}$/, "0:0")
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const missing = Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...missing, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
