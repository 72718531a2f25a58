import { parseEventObject, type PlayerCommand } from "../events/parse-event.ts";
import { integerWithin, member, numberWithin, parseObject, textWithin, type Json } from "../json.ts";
import { MAX_CANDIDATE_CHARS, MAX_SIGNAL_CHARS, MAX_TOKEN_CHARS, MAX_UNIT_NUMBER } from "../limits.ts";

/** What a player sends on its signalling socket. */
export type Signal =
  | { type: "token"; token: string }
  | { type: "offer"; sdp: string }
  /** The empty candidate that ends the list is not a signal: it parses to `undefined`. */
  | { type: "candidate"; candidate: string; mid: string }
  /** A browser without data channels sends its events here. */
  | { type: "commands"; commands: PlayerCommand[] }
  /** Our own page, where WebRTC does not get through, wants the picture on this socket, from a key frame on. */
  | { type: "video" }
  /** Our own page wants to see the device while WebRTC connects: the first key frame, on this socket. */
  | { type: "still" }
  /** Pictures up to this number, which are sent on this socket, have arrived. */
  | { type: "seen"; number: number }
  /** Our own page wants sound, or no more of it. */
  | { type: "sound"; on: boolean }
  /** Packets of sound up to this number, which are sent on this socket, have arrived. */
  | { type: "heard"; number: number }
  /** How long does a message take, behind all that was sent before? It is answered with the page's own time. */
  | { type: "echo"; at: number };

/** Parses one signalling message; undefined when no player sends such a message. Never throws. */
export function parseSignal(text: string): Signal | undefined {
  const object = parseObject(text, MAX_SIGNAL_CHARS);
  if (!object) return undefined;
  if (member(object, "type") === "token") return parseToken(object);
  if (member(object, "type") === "VIDEO") return parseVideo(object);
  if (member(object, "type") === "SOUND") return parseSound(object);
  if (Object.hasOwn(object, "sdp")) return parseOffer(object);
  if (Object.hasOwn(object, "candidate")) return parseCandidate(object);
  const commands = parseEventObject(object);
  return commands && { type: "commands", commands };
}

function parseToken(object: Json): Signal | undefined {
  const token = textWithin(member(object, "token"), MAX_TOKEN_CHARS);
  return token === undefined ? undefined : { type: "token", token };
}

function parseVideo(object: Json): Signal | undefined {
  const at = numberWithin(member(object, "at"), 0, Number.MAX_SAFE_INTEGER);
  if (at !== undefined) return { type: "echo", at };
  if (member(object, "still") === true) return { type: "still" };
  if (!Object.hasOwn(object, "seen")) return { type: "video" };
  const number = integerWithin(member(object, "seen"), 0, MAX_UNIT_NUMBER);
  return number === undefined ? undefined : { type: "seen", number };
}

function parseSound(object: Json): Signal | undefined {
  const on = member(object, "on");
  if (typeof on === "boolean") return { type: "sound", on };
  const number = integerWithin(member(object, "heard"), 0, MAX_UNIT_NUMBER);
  return number === undefined ? undefined : { type: "heard", number };
}

function parseOffer(object: Json): Signal | undefined {
  const sdp = textWithin(member(object, "sdp"), MAX_SIGNAL_CHARS);
  return sdp !== undefined && member(object, "type") === "offer" ? { type: "offer", sdp } : undefined;
}

/** A bare RTCIceCandidateInit. */
function parseCandidate(object: Json): Signal | undefined {
  const candidate = textWithin(member(object, "candidate"), MAX_CANDIDATE_CHARS);
  if (!candidate?.startsWith("candidate:")) return undefined;
  const index = integerWithin(member(object, "sdpMLineIndex"), 0, 99);
  const mid = textWithin(member(object, "sdpMid"), 16) ?? (index === undefined ? undefined : String(index));
  return mid === undefined ? undefined : { type: "candidate", candidate, mid };
}
