import { isIPv6 } from "node:net";

/**
 * The networks of an address that limits count, the narrowest first: of IPv4 the address itself; of IPv6 its first 64 bits, as each customer
 * has at least that many addresses to choose from, then its first 48, which sites have, and 32, which providers have.
 */
export function networksOf(address: string): [string, ...string[]] {
  const ipv4 = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return [ipv4 ?? address];
  // `::` stands for as many groups of zero as are missing.
  const [before = [], after = []] = address
    .replace(/%.*/, "")
    .replace(/\d+(\.\d+){3}$/, "0:0")
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const missing = Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...missing, ...after].map((group) => Number.parseInt(group, 16).toString(16));
  const prefixOf = (bits: number) => `${groups.slice(0, bits / 16).join(":")}::/${bits}`;
  return [prefixOf(64), prefixOf(48), prefixOf(32)];
}

/** What limits count as one address. */
export const networkOf = (address: string): string => networksOf(address)[0];
