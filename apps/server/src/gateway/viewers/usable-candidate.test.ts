import { describe, expect, it } from "vitest";
import { reaches } from "./reach.ts";
import { isUsableCandidate, withUsableCandidates } from "./usable-candidate.ts";

const at = (address: string, port: number | string, transport = "udp") =>
  `candidate:1467250027 1 ${transport} 2122260223 ${address} ${port} typ host generation 0`;
const anywhere = { reach: "loopback" } as const;

describe("isUsableCandidate", () => {
  it.each([
    ["203.0.113.7", ["public", "private", "loopback"]],
    ["2606:4700::7", ["public", "private", "loopback"]],
    ["192.168.1.7", ["private", "loopback"]],
    ["fd12:3456::7", ["private", "loopback"]],
    ["127.0.0.1", ["loopback"]],
  ])("takes %s where the reach is one of %j", (address, within) => {
    expect(reaches.filter((reach) => isUsableCandidate(at(address, 52_011), { reach }))).toEqual(within);
  });

  it("takes the private address that the viewer connects from, but no loopback address", () => {
    const usable = (address: string, viewer: string) =>
      isUsableCandidate(at(address, 52_011), { reach: "public", viewer });
    expect(usable("192.168.1.7", "192.168.1.7")).toBe(true);
    expect(usable("192.168.1.8", "192.168.1.7")).toBe(false);
    expect(usable("127.0.0.1", "127.0.0.1")).toBe(false);
    expect(usable("169.254.169.254", "169.254.169.254")).toBe(false);
  });

  it.each([at("192.168.1.7", 1024, "UDP"), at("2001:db8::7", 65_535)])("takes %s", (candidate) =>
    expect(isUsableCandidate(candidate, anywhere)).toBe(true),
  );

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
    ["an address with a zone", at("fe80::1%eth0", 5000)],
    ["an address with an octal or a short form", at("127.1", 5000)],
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
    it(`refuses ${what}`, () => expect(isUsableCandidate(candidate, anywhere)).toBe(false));
});

describe("withUsableCandidates", () => {
  it("takes out of an offer what is not usable and leaves the rest as it is", () => {
    const lines = (...candidates: string[]) =>
      ["v=0", "m=video 9 UDP/TLS/RTP/SAVPF 102", ...candidates, "a=mid:0", ""].join("\r\n");
    const good = `a=${at("203.0.113.7", 52_011)}`;
    const near = `a=${at("192.168.1.7", 52_011)}`;
    const metadata = `a=${at("169.254.169.254", 8080)}`;
    expect(withUsableCandidates(lines(good, near, metadata), { reach: "public" })).toBe(lines(good));
    expect(withUsableCandidates(lines(good, near, metadata), { reach: "private" })).toBe(lines(good, near));
  });

  for (const [where, end] of [
    ["in a last line that does not end", ""],
    ["in a line with a character that ends lines elsewhere", " \u2028\n"],
    ["in a line with a carriage return in it", "\r x\n"],
  ] as const)
    it(`finds them ${where}`, () => {
      const sdp = `v=0\r\na=${at("169.254.169.254", 8080)}${end}`;
      expect(withUsableCandidates(sdp, anywhere).includes("169.254")).toBe(false);
    });
});
