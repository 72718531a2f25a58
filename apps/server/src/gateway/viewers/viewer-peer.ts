import type { SoundPacket } from "../display/display-source.ts";
import type { VideoTrack } from "./video-feed.ts";

/** What a peer connection reports to its viewer. */
export interface PeerEvents {
  onAnswer(sdp: string): void;
  onCandidate(candidate: string, mid: string): void;
  /** The player's events channel is open. */
  onEventsOpen(): void;
  /** One message arrived on that channel; undefined for a binary or overlong one, and for a channel that no player opens. */
  onEvent(text: string | undefined): void;
  /** Video can be sent. */
  onVideoOpen(): void;
  /** The browser lost data that it cannot decode without. */
  onKeyFrameRequest(): void;
  /** The network to the browser is congested. */
  onNetworkFull(): void;
  /** The connection failed; the browser has to start over. */
  onBroken(): void;
}

/** The media connection to one browser. */
export interface ViewerPeer {
  readonly video: VideoTrack;
  /** Never waits and never throws: sound that cannot be sent is lost. */
  playSound(packet: SoundPacket): void;
  /** Answers the first and every later offer. Throws when the offer is malformed. */
  acceptOffer(sdp: string): void;
  /** Throws when the candidate is malformed. */
  addCandidate(candidate: string, mid: string): void;
  /** Frees everything; no event follows. */
  close(): void;
}

export type CreatePeer = (events: PeerEvents) => ViewerPeer;
