import type { AppError } from "@terrarium/contract";
import type { Detour } from "./player.ts";
import type { RoomPointer } from "./room.ts";
import type { Readout } from "./stream-stats.ts";

export interface PictureSize {
  /** Pixels of the decoded video, which swap when the device turns. */
  width: number;
  height: number;
}

/** How a recording has ended; another one is another object. */
export interface Recorded {
  why: "asked" | "limit" | "full" | "left" | "over" | "failed";
  isKept: boolean;
}

/** What a display session knows, as one value that is replaced on each change. */
export interface DisplayStatus {
  phase: "connecting" | "live" | "reconnecting" | "ended";
  picture?: PictureSize | undefined;
  readout?: Readout | undefined;
  /** Why the picture does not come over WebRTC, if it does not; or that it cannot come in another way either. */
  detour?: Detour | "undecodable" | undefined;
  /** What gadgets reported, by their names. */
  gadgets?: Readonly<Record<string, unknown>> | undefined;
  /** The uuids of those who watch, this one among them; undefined until they are known. */
  people?: readonly string[] | undefined;
  /** Where the pointers of other people are. */
  pointers?: readonly RoomPointer[] | undefined;
  /** The uuids of those who ask for control. */
  hands?: readonly string[] | undefined;
  /** Since when what is seen is being recorded, by our monotonic clock. */
  recordingSince?: number | undefined;
  /** The last recording that has ended while this page was open. */
  recorded?: Recorded | undefined;
  /** How often the owner has declined to hand over control when it was asked for here. */
  declines?: number | undefined;
  /** What the device says it can do; undefined until it says. */
  capabilities?: Readonly<Record<string, boolean>> | undefined;
  /** Why there is nothing to come back to; only when ended. */
  refusal?: AppError | undefined;
  /** Whole seconds to the next attempt; 0 while one is under way. Only when reconnecting. */
  retryInSeconds?: number | undefined;
}
