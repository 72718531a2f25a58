import { BlockList, isIPv4, isIPv6 } from "node:net";

/** What is not out on the internet: our own machine and networks, and addresses that stand for others or for many (RFC 6890). */
const notPublic = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(net, bits, "ipv4");
// Teredo and others, examples, 6to4, examples again. The IPv4 address in some of them may be a private one.
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notPublic.addSubnet(net, bits, "ipv6");

/** All that is assigned to anybody. What stands for an IPv4 address in another way, as `::ffff:10.0.0.1` does, lies outside. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** Whether an IP address is one on the internet, so that a request to it cannot reach what only this machine or its network should. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  return isIPv6(address) && global6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}
