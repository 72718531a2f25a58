import { soundMessage } from "@terrarium/player";
import type { SoundPacket } from "../display/display-source.ts";
import type { VideoFeed } from "./video-feed.ts";
import type { ViewerPeer } from "./viewer-peer.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

/** A second of sound; a viewer with more on its way is too slow for it. */
const MAX_UNHEARD = 50;

export interface SoundFeedDeps {
  socket: Pick<ViewerSocket, "sendBytes">;
  feed: Pick<VideoFeed, "behind">;
}

/**
 * Sends one viewer a device's sound, if there is room for it: a viewer that is behind with the picture gets none. Over a socket, where
 * nothing else shows how far a slow network is behind, the page confirms what it has received, and little is sent ahead of that.
 */
export class SoundFeed {
  readonly #deps: SoundFeedDeps;
  /** Where it goes: to a peer, or to the socket if there is none any more. */
  peer: Pick<ViewerPeer, "playSound"> | undefined;
  #isWanted: boolean | undefined;
  #next = 0;
  #heard = -1;
  #isFull = false;

  constructor(deps: SoundFeedDeps) {
    this.#deps = deps;
  }

  /** A player that says nothing of it is sent sound on its track, which it offered; over a socket it has to be asked for. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted;
  }

  /** The page has heard all up to this packet, which came over the socket. */
  heard(number: number): void {
    if (number < this.#next) this.#heard = Math.max(this.#heard, number);
    if (this.#heard === this.#next - 1) this.#isFull = false;
  }

  push(packet: SoundPacket): void {
    if (this.#deps.feed.behind) return;
    if (this.peer) {
      if (this.#isWanted !== false) this.peer.playSound(packet);
    } else if (this.#isWanted === true) {
      this.#isFull ||= this.#next - 1 - this.#heard >= MAX_UNHEARD;
      if (!this.#isFull) this.#deps.socket.sendBytes(soundMessage({ number: this.#next++, ...packet }));
    }
  }
}
