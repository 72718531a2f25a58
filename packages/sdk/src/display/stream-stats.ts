/** Counters of one moment of a connection. */
export interface StreamSample {
  /** Milliseconds on the report's own clock. */
  atMs: number;
  bytes: number;
  frames: number;
  packets: number;
  packetsLost: number;
  roundTripMs: number | undefined;
  isRelayed: boolean;
}

export type StreamPath = "direct" | "relayed" | "slow" | "lost";

export interface Readout {
  path: StreamPath;
  roundTripMs: number | undefined;
  /** 0 while nothing moves. */
  framesPerSecond: number;
  megabitsPerSecond: number;
}

/** From here on a touch feels late, whatever the path. */
const SLOW_ROUND_TRIP_MS = 150;
/** Fewer frames a second than this are a clock or a blinking cursor, for which an encoder may send two frames a change. */
const LEAST_MOVING_FPS = 6;
/** Above this share of lost packets the picture stutters. */
const SLOW_LOSS = 0.05;

/** The counters of the video in a report, or undefined before the first packet of one. */
export function sampleOf(report: Iterable<[string, unknown]>): StreamSample | undefined {
  const stats = new Map(report) as Map<string, Record<string, unknown>>;
  const all = [...stats.values()];
  const video = all.find((each) => each["type"] === "inbound-rtp" && each["kind"] === "video");
  if (!video) return undefined;
  const transport = all.find((each) => each["type"] === "transport" && each["selectedCandidatePairId"] !== undefined);
  const pair =
    stats.get(String(transport?.["selectedCandidatePairId"])) ??
    all.find(
      (each) => each["type"] === "candidate-pair" && each["nominated"] === true && each["state"] === "succeeded",
    );
  const roundTrip = pair?.["currentRoundTripTime"];
  return {
    atMs: numberOf(video["timestamp"]),
    bytes: numberOf(video["bytesReceived"]),
    frames: numberOf(video["framesDecoded"]),
    packets: numberOf(video["packetsReceived"]),
    packetsLost: numberOf(video["packetsLost"]),
    roundTripMs: typeof roundTrip === "number" ? Math.round(roundTrip * 1000) : undefined,
    isRelayed: ["localCandidateId", "remoteCandidateId"].some(
      (end) => stats.get(String(pair?.[end]))?.["candidateType"] === "relay",
    ),
  };
}

/** What happened between two samples. Undefined when no time passed, or when the counters began anew. */
export function readoutOf(before: StreamSample, now: StreamSample): Readout | undefined {
  const seconds = (now.atMs - before.atMs) / 1000;
  if (seconds <= 0 || now.bytes < before.bytes || now.frames < before.frames) return undefined;
  const framesPerSecond = Math.round((now.frames - before.frames) / seconds);
  return {
    path: pathOf(before, now),
    roundTripMs: now.roundTripMs,
    framesPerSecond: framesPerSecond < LEAST_MOVING_FPS ? 0 : framesPerSecond,
    megabitsPerSecond: Math.round(((now.bytes - before.bytes) * 8) / seconds / 100_000) / 10,
  };
}

function pathOf(before: StreamSample, now: StreamSample): StreamPath {
  const lost = Math.max(0, now.packetsLost - before.packetsLost);
  const expected = lost + Math.max(0, now.packets - before.packets);
  if ((now.roundTripMs ?? 0) >= SLOW_ROUND_TRIP_MS || (expected > 0 && lost / expected > SLOW_LOSS)) return "slow";
  return now.isRelayed ? "relayed" : "direct";
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
