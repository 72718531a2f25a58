import { describe, expect, it } from "vitest";
import { withHostAddress } from "./host-address.ts";
import { parseOffer } from "./offer.ts";
import { rtpTimeOf } from "./rtp-time.ts";

/** The lines that matter of what Chromium offers for the player. */
const offer = [
  "v=0",
  "a=group:BUNDLE 0 1 2",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111 63",
  "a=mid:0",
  "a=rtpmap:111 opus/48000/2",
  "a=rtpmap:63 red/48000/2",
  "m=video 9 UDP/TLS/RTP/SAVPF 96 103 107 109",
  "a=mid:1",
  "a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
  "a=extmap:5/recvonly http://www.webrtc.org/experiments/rtp-hdrext/playout-delay",
  "a=rtpmap:96 VP8/90000",
  "a=rtpmap:103 H264/90000",
  "a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f",
  "a=rtpmap:107 H264/90000",
  "a=fmtp:107 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f",
  "a=rtpmap:109 H264/90000",
  "a=fmtp:109 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f",
  "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
  "a=mid:2",
];

describe("parseOffer", () => {
  it("finds sound, and constrained baseline in packets of one mode", () =>
    expect(parseOffer(offer.join("\r\n"))).toEqual({
      audio: { mid: "0", payloadType: 111 },
      video: {
        mid: "1",
        payloadType: 109,
        format: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f",
        playoutDelayId: 5,
      },
    }));

  it("takes another profile when there is no better", () =>
    expect(parseOffer(offer.filter((line) => !line.startsWith("a=rtpmap:109")).join("\n")).video?.payloadType).toBe(
      103,
    ));

  it("does without the extension", () =>
    expect(
      parseOffer(offer.filter((line) => !line.includes("playout")).join("\r\n")).video?.playoutDelayId,
    ).toBeUndefined());

  for (const [what, sdp] of [
    ["no H.264", offer.filter((line) => !line.includes("H264")).join("\r\n")],
    ["no media", "v=0\r\n"],
    ["no SDP", "hello"],
  ] as const)
    it(`finds no video where there is ${what}`, () => expect(parseOffer(sdp).video).toBeUndefined());
});

describe("withHostAddress", () => {
  const host = "candidate:1 1 UDP 2122317823 10.0.0.7 4001 typ host";
  const other = "candidate:2 1 UDP 1686109951 198.51.100.9 4001 typ srflx raddr 10.0.0.7 rport 4001";

  it("puts the address browsers know into host candidates alone", () =>
    expect(withHostAddress(`a=${host}\r\na=${other}\r\n`, "203.0.113.5")).toBe(
      `a=candidate:1 1 UDP 2122317823 203.0.113.5 4001 typ host\r\na=${other}\r\n`,
    ));

  it("leaves all as it is without one", () => expect(withHostAddress(host, undefined)).toBe(host));
});

describe("rtpTimeOf", () => {
  for (const [ptsUs, expected] of [
    [0n, 0],
    [1_000_000n, 90_000],
    [47_721_858_844n, 4_294_967_295],
    [47_721_858_845n, 0],
  ] as const)
    it(`is ${expected} after ${ptsUs} us`, () => expect(rtpTimeOf(ptsUs)).toBe(expected));
});
