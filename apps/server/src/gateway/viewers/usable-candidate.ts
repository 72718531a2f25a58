import { isIP } from "node:net";
import { type Reach, reaches, reachOf } from "./reach.ts";

/** Which candidates of a viewer are used. */
export interface CandidateRule {
  reach: Reach;
  /** The address that the viewer connects from. It is used whatever the reach, unless it is one of this machine's. */
  viewer?: string | undefined;
}

/** Well-known services listen below this port; browsers and NATs use ports above it. */
const FIRST_FREE_PORT = 1024;

/** Captures address and port of a UDP candidate. Exactly one space between fields: other parsers split on more than that. */
const CANDIDATE = /^candidate:[!-~]+ \d+ udp \d+ ([\da-f:.]+) (\d{4,5}) typ [ -~]+$/i;

/**
 * Whether we may send to a candidate (RFC 8839, section 5.1). Anyone with a token could otherwise make us send packets to
 * services that only this machine or its network reaches. Host names are refused, since anyone could make us look them up.
 * A browser whose candidates are all refused is found through the packets it sends. TCP is not supported.
 */
export function isUsableCandidate(candidate: string, { reach, viewer }: CandidateRule): boolean {
  const [, address = "", port] = CANDIDATE.exec(candidate) ?? [];
  if (isIP(address) === 0 || Number(port) < FIRST_FREE_PORT || Number(port) > 65_535) return false;
  const needed = reachOf(address);
  if (needed === undefined) return false;
  return reaches.indexOf(needed) <= reaches.indexOf(reach) || (needed === "private" && address === viewer);
}

/** The offer without the candidates that are not usable. */
export function withUsableCandidates(sdp: string, rule: CandidateRule): string {
  const stays = (line: string) =>
    !/^\s*a=candidate/.test(line) || isUsableCandidate(line.slice("a=".length).trimEnd(), rule);
  return sdp.split("\n").filter(stays).join("\n");
}
