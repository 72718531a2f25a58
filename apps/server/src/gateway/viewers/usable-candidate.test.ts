import { describe, expect, it } from "vitest";
import { isUsableCandidate, withUsableCandidates } from "./usable-candidate.ts";

const at = (address: string, port: number | string, transport = "udp") =>
  `candidate:1467250027 1 ${transport} 2122260223 ${address} ${port} typ host generation 0`;

describe("isUsableCandidate", () => {
  for (const candidate of [at("192.168.1.7", 52_011), at("127.0.0.1", 1024, "UDP"), at("2001:db8::7", 65_535)])
    it(`takes ${candidate}`, () => expect(isUsableCandidate(candidate)).toBe(true));

  const refused: [string, string][] = [
    ["the metadata service of a cloud", at("169.254.169.254", 8080)],
    ["the same, written as IPv6", at("::ffff:169.254.169.254", 8080)],
    ["a service's port", at("10.0.0.5", 53)],
    ["a name, which would be looked up", at("metadata.google.internal", 8080)],
    ["a browser's hidden name", at("6f3c2a7e-2f63-4b1c-9a62-0a4d5ed6b0aa.local", 52_011)],
    ["TCP", at("10.0.0.5", 5432, "tcp")],
    ["everybody", at("255.255.255.255", 5000)],
    ["a multicast group", at("239.1.1.1", 5000)],
    ["nobody", at("0.0.0.0", 5000)],
    ["no port", at("10.0.0.5", "x")],
    ["a port past the last", at("10.0.0.5", 99_999)],
    ["nothing", "candidate:"],
    [
      "an address that only others see, behind tabs",
      "candidate:1\t1\tudp\t1\t169.254.169.254\t8080 1 udp 1 10.0.0.5 52011 typ host",
    ],
    ["one that others read after two spaces", "candidate:1 1 udp  1::ffff:a9fe:a9fe 8080 typ host"],
    ["more than a line", `${at("192.168.1.7", 52_011)}\r\na=${at("169.254.169.254", 8080)}`],
  ];
  for (const [what, candidate] of refused)
    it(`refuses ${what}`, () => expect(isUsableCandidate(candidate)).toBe(false));
});

describe("withUsableCandidates", () => {
  it("takes out of an offer what is not usable and leaves the rest as it is", () => {
    const lines = (...candidates: string[]) =>
      ["v=0", "m=video 9 UDP/TLS/RTP/SAVPF 102", ...candidates, "a=mid:0", ""].join("\r\n");
    const good = `a=${at("192.168.1.7", 52_011)}`;
    expect(withUsableCandidates(lines(good, `a=${at("169.254.169.254", 8080)}`))).toBe(lines(good));
  });

  for (const [where, end] of [
    ["in a last line that does not end", ""],
    ["in a line with a character that ends lines elsewhere", " \u2028\n"],
    ["in a line with a carriage return in it", "\r x\n"],
  ] as const)
    it(`finds them ${where}`, () => {
      const sdp = `v=0\r\na=${at("169.254.169.254", 8080)}${end}`;
      expect(withUsableCandidates(sdp).includes("169.254")).toBe(false);
    });
});
