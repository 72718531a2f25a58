import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { type Reach, reachOf } from "./reach.ts";

describe("the reach that an address needs", () => {
  const rows: [Reach | undefined, ...string[]][] = [
    ["public", "203.0.113.7", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.9.9", "172.32.0.1", "2606:4700::7"],
    ["private", "10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.7", "100.64.0.1", "198.18.0.1", "fd12:3456::7"],
    ["loopback", "127.0.0.1", "127.9.9.9", "::1"],
    [undefined, "0.0.0.0", "0.1.2.3", "255.255.255.255", "240.0.0.1", "224.0.0.1", "239.1.1.1", "::", "ff02::1"],
    // Link-local, and the metadata services of clouds.
    [undefined, "169.254.1.1", "169.254.169.254", "fe80::1", "fec0::1", "fd00:ec2::254", "fd20:ce::254"],
    [undefined, "100.100.100.200", "168.63.129.16", "192.0.0.192"],
    // IPv4 written as IPv6: mapped, compatible, translated, Teredo, 6to4.
    [undefined, "::ffff:169.254.169.254", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::7f00:1"],
    [undefined, "::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2001::7f00:1", "2002:7f00:1::1"],
  ];
  for (const [reach, ...addresses] of rows)
    it.each(addresses)(`is ${reach ?? "none"} for %s`, (address) => expect(reachOf(address)).toBe(reach));

  it("is loopback for this machine's own, or none where they are link-local", () => {
    const own = Object.values(networkInterfaces()).flatMap((ones) => ones ?? []);
    for (const { address } of own) expect(["loopback", undefined]).toContain(reachOf(address));
  });
});
