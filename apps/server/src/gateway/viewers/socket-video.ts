import type { Clock } from "@terrarium/clock";
import { videoMessage } from "@terrarium/player";
import type { AccessUnit } from "../display/display.ts";
import type { VideoTrack } from "./video-feed.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

/** What may be on its way to a viewer: well below what the socket lets lie unread before it gives the viewer up. */
const MAX_UNSEEN_BYTES = 512 * 1024;
/** A picture that takes longer than this is worth less than a newer one. */
const MAX_UNSEEN_MS = 1_000;

export interface SocketVideoDeps {
  socket: Pick<ViewerSocket, "sendBytes">;
  clock: Clock;
  /** A viewer that was behind has now seen all that was sent. */
  onCaughtUp(): void;
}

/**
 * Sends pictures over a viewer's socket. The page says which it has seen, as buffers on the way (the proxy's, and those of both systems)
 * hide how far a slow network is behind. If too much is unseen, nothing is sent until all of it has been.
 */
export class SocketVideo implements VideoTrack {
  readonly #deps: SocketVideoDeps;
  /** What was sent and not seen yet, oldest first. */
  #unseen: { number: number; bytes: number; at: number }[] = [];
  #bytes = 0;
  #isFull = false;
  #next = 0;

  constructor(deps: SocketVideoDeps) {
    this.#deps = deps;
  }

  isOpen(): boolean {
    const oldest = this.#unseen[0];
    if (oldest && this.#deps.clock.monotonic() - oldest.at >= MAX_UNSEEN_MS) this.#isFull = true;
    return !this.#isFull;
  }

  send({ keyFrame, ptsUs, data }: AccessUnit): boolean {
    // One alone always passes, however large it is.
    this.#isFull = this.#unseen.length > 0 && this.#bytes + data.length > MAX_UNSEEN_BYTES;
    if (this.#isFull) return false;
    const number = this.#next++;
    this.#unseen.push({ number, bytes: data.length, at: this.#deps.clock.monotonic() });
    this.#bytes += data.length;
    this.#deps.socket.sendBytes(videoMessage({ number, keyFrame, ptsUs, data }));
    return true;
  }

  /** The page has seen all pictures up to this one. */
  seen(number: number): void {
    while (this.#unseen[0] && this.#unseen[0].number <= number) {
      this.#bytes -= this.#unseen.shift()!.bytes;
    }
    if (!this.#isFull || this.#unseen.length > 0) return;
    this.#isFull = false;
    this.#deps.onCaughtUp();
  }
}
