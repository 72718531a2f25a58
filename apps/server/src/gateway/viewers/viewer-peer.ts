import type { VideoTrack } from "./video-feed.ts";

/** What a viewer hears from its peer connection. */
export interface PeerEvents {
  onAnswer(sdp: string): void;
  onCandidate(candidate: string, mid: string): void;
  /** The channel on which the player sends its events is open. */
  onEventsOpen(): void;
  /** One message of that channel. */
  onEvent(text: string): void;
  /** Video can be sent from now on. */
  onVideoOpen(): void;
  /** The browser lost what it needs to go on. */
  onKeyFrameRequest(): void;
  /** The network to the browser takes less than is sent. */
  onNetworkFull(): void;
  /** The connection broke; the browser begins anew. */
  onBroken(): void;
}

/** The media connection to one browser. */
export interface ViewerPeer {
  readonly video: VideoTrack;
  /** Answers an offer, the first and every later one. Throws when it cannot be understood. */
  acceptOffer(sdp: string): void;
  /** Throws when it cannot be understood. */
  addCandidate(candidate: string, mid: string): void;
  /** Frees all it holds; no event comes after it. */
  close(): void;
}

export type CreatePeer = (events: PeerEvents) => ViewerPeer;
