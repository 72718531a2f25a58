import { BlockList, isIP } from "node:net";

/** Below are the ports of services; a browser's sockets and the ports of address translators are above. */
const FIRST_FREE_PORT = 1024;

/** Where no browser is: this network, link-local (the metadata service of clouds), multicast, broadcast. */
const nowhere = new BlockList();
nowhere.addSubnet("0.0.0.0", 8);
nowhere.addSubnet("169.254.0.0", 16);
nowhere.addSubnet("224.0.0.0", 3);
nowhere.addAddress("::", "ipv6");
nowhere.addSubnet("fe80::", 10, "ipv6");
nowhere.addSubnet("ff00::", 8, "ipv6");

/** Address and port of a candidate over UDP. One space and nothing else between the fields: other parsers split at more than that. */
const CANDIDATE = /^candidate:[!-~]+ \d+ udp \d+ ([\da-f:.]+) (\d{4,5}) typ [ -~]+$/i;

/**
 * Whether a candidate (RFC 8839, section 5.1) is one to send to. Names are not: they would be looked up for whoever sent
 * them, and a browser that hides its address behind a name is found by its own packets. TCP we do not speak.
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
