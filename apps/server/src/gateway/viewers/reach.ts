import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** How near the addresses may be that video is sent to: each includes the ones before it. */
export const reaches = ["public", "private", "loopback"] as const;
export type Reach = (typeof reaches)[number];

const loopback = blockLists({ ipv4: ["127.0.0.0/8"], ipv6: ["::1/128"] });
/** Addresses that no browser has. Clouds serve metadata and credentials at some of them. */
const nowhere = blockLists({
  ipv4: ["0.0.0.0/8", "100.100.100.200/32", "168.63.129.16/32", "169.254.0.0/16", "192.0.0.0/24", "224.0.0.0/3"],
  ipv6: [
    // What is neither global unicast nor unique local: link-local, multicast, and IPv4 addresses written as IPv6.
    "::/3",
    "4000::/2",
    "8000::/2",
    "c000::/3",
    "e000::/4",
    "f000::/5",
    "f800::/6",
    "fe00::/7",
    // Teredo and 6to4 have an IPv4 address in them, too.
    "2001::/32",
    "2002::/16",
    // Metadata.
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
  ],
});
/** Private networks, those of carriers (RFC 6598) and of laboratories (RFC 2544), and unique local addresses. */
const privateNetworks = blockLists({
  ipv4: ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"],
  ipv6: ["fc00::/7"],
});

/** The reach that an IP address needs; undefined for those that are never sent to. This machine's own count as loopback. */
export function reachOf(address: string): Reach | undefined {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (loopback[family].check(address, family)) return "loopback";
  if (nowhere[family].check(address, family)) return undefined;
  if (isOurs(address, family)) return "loopback";
  return privateNetworks[family].check(address, family) ? "private" : "public";
}

type Family = "ipv4" | "ipv6";

function isOurs(address: string, family: Family): boolean {
  const ours = new BlockList();
  for (const one of Object.values(networkInterfaces()).flat())
    if (one) ours.addAddress(one.address, one.family === "IPv6" ? "ipv6" : "ipv4");
  return ours.check(address, family);
}

/** One list for each family: in a common one, `::/3` would match every IPv4 address. */
function blockLists(ranges: Record<Family, string[]>): Record<Family, BlockList> {
  const listOf = (family: Family) => {
    const list = new BlockList();
    for (const range of ranges[family]) {
      const [network = "", bits] = range.split("/");
      list.addSubnet(network, Number(bits), family);
    }
    return list;
  };
  return { ipv4: listOf("ipv4"), ipv6: listOf("ipv6") };
}
