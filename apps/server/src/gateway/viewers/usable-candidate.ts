import { BlockList, isIP } from "node:net";

/** Well-known services listen below this port; browsers and NATs use ports above it. */
const FIRST_FREE_PORT = 1024;

/** Addresses no browser has: this network, link-local (where clouds serve metadata), multicast, broadcast. */
const nowhere = new BlockList();
nowhere.addSubnet("0.0.0.0", 8);
nowhere.addSubnet("169.254.0.0", 16);
nowhere.addSubnet("224.0.0.0", 3);
nowhere.addAddress("::", "ipv6");
nowhere.addSubnet("fe80::", 10, "ipv6");
nowhere.addSubnet("ff00::", 8, "ipv6");

/** Captures address and port of a UDP candidate. Exactly one space between fields: other parsers split on more than that. */
const CANDIDATE = /^candidate:[!-~]+ \d+ udp \d+ ([\da-f:.]+) (\d{4,5}) typ [ -~]+$/i;

/**
 * Whether we may send to a candidate (RFC 8839, section 5.1). Host names are refused, since anyone could make us look them
 * up; a browser that hides its address behind one is found through the packets it sends. TCP is not supported.
 */
export function isUsableCandidate(candidate: string): boolean {
  const [, address = "", port] = CANDIDATE.exec(candidate) ?? [];
  const version = isIP(address);
  if (version === 0 || Number(port) < FIRST_FREE_PORT || Number(port) > 65_535) return false;
  return !nowhere.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** The offer without the candidates that are not usable. */
export function withUsableCandidates(sdp: string): string {
  const stays = (line: string) => !/^\s*a=candidate/.test(line) || isUsableCandidate(line.slice("a=".length).trimEnd());
  return sdp.split("\n").filter(stays).join("\n");
}
