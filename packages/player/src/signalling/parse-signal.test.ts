import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SIGNAL_CHARS } from "../limits.ts";
import { parseSignal, type Signal } from "./parse-signal.ts";

const candidate = "candidate:1 1 udp 2122260223 192.0.2.1 54321 typ host";

const understood: [string, object, Signal][] = [
  ["the token", { type: "token", token: "abc" }, { type: "token", token: "abc" }],
  ["an empty token", { type: "token", token: "" }, { type: "token", token: "" }],
  ["an offer", { type: "offer", sdp: "v=0\r\n" }, { type: "offer", sdp: "v=0\r\n" }],
  [
    "a candidate",
    { candidate, sdpMid: "1", sdpMLineIndex: 1, usernameFragment: "x" },
    { type: "candidate", candidate, mid: "1" },
  ],
  ["a candidate by line", { candidate, sdpMLineIndex: 2 }, { type: "candidate", candidate, mid: "2" }],
  [
    "an event of a browser without data channels",
    { type: "MOUSE_PRESS", x: 1, y: 2 },
    { type: "commands", commands: [{ type: "mouse", action: "press", x: 1, y: 2 }] },
  ],
  ["a page that wants the picture on the socket", { type: "VIDEO" }, { type: "video" }],
  ["a page that wants a picture until WebRTC has connected", { type: "VIDEO", still: true }, { type: "still" }],
  ["a page that has seen a picture", { type: "VIDEO", seen: 4294967295 }, { type: "seen", number: 4294967295 }],
  ["a page that wants sound", { type: "SOUND", on: true }, { type: "sound", on: true }],
  ["a page that wants no more of it", { type: "SOUND", on: false }, { type: "sound", on: false }],
  ["a page that has heard a packet", { type: "SOUND", heard: 7 }, { type: "heard", number: 7 }],
  ["a page that asks how long a message takes", { type: "VIDEO", at: 12.5 }, { type: "echo", at: 12.5 }],
];

const dropped: [string, string][] = [
  ["no JSON", "hello"],
  ["nothing", ""],
  ["a number", "1"],
  ["null", "null"],
  ["a list", `[{"type":"token","token":"a"}]`],
  ["a token that is no text", `{"type":"token","token":7}`],
  ["a token of 5000 characters", JSON.stringify({ type: "token", token: "x".repeat(5000) })],
  ["an answer", `{"type":"answer","sdp":"v=0"}`],
  ["an offer without a type", `{"sdp":"v=0"}`],
  ["an offer that is a number", `{"type":"offer","sdp":1}`],
  ["the end of candidates", `{"candidate":"","sdpMid":"0"}`],
  ["a candidate that is none", `{"candidate":"a=x","sdpMid":"0"}`],
  ["a candidate for no line", JSON.stringify({ candidate })],
  ["a candidate for line -1", JSON.stringify({ candidate, sdpMLineIndex: -1 })],
  ["a candidate of 2000 characters", JSON.stringify({ candidate: candidate.padEnd(2000), sdpMid: "0" })],
  ["a picture before the first", `{"type":"VIDEO","seen":-1}`],
  ["a picture that has no number", `{"type":"VIDEO","seen":"1"}`],
  ["sound that is neither on nor off", `{"type":"SOUND","on":1}`],
  ["a packet of sound before the first", `{"type":"SOUND","heard":-1}`],
  ["an event nobody knows", `{"type":"FORMAT_DISK"}`],
  ["a token in the prototype", `{"__proto__":{"type":"token","token":"a"}}`],
  ["a message past the limit", JSON.stringify({ type: "offer", sdp: "x".repeat(MAX_SIGNAL_CHARS) })],
];

describe("parseSignal", () => {
  for (const [what, message, signal] of understood)
    it(`reads ${what}`, () => expect(parseSignal(JSON.stringify(message))).toEqual(signal));
  for (const [what, text] of dropped) it(`drops ${what}`, () => expect(parseSignal(text)).toBeUndefined());

  it("never throws", () => {
    const anyText = fc.oneof(fc.string(), fc.json());
    expect(() => fc.assert(fc.property(anyText, (text) => void parseSignal(text)))).not.toThrow();
  });
});
