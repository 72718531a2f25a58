import type { CreatePeer, PeerEvents, ViewerPeer } from "../viewers/viewer-peer.ts";
import type { SocketEvents, ViewerSocket } from "../viewers/viewer-socket.ts";
import type { ByteConnection, ByteEvents } from "../../platform/websocket/byte-socket.ts";
import type { AccessUnit } from "../display/display.ts";
import type { SoundPacket } from "../display/display-source.ts";

/** The browser's end of a signalling socket, controlled by the test. */
export class FakeSocket implements ViewerSocket {
  readonly sent: { type?: string; message?: unknown; connection?: string; sdp?: string; candidate?: string }[] = [];
  readonly pictures: Uint8Array[] = [];
  closed: { code: number; reason: string } | undefined;
  /** Does not answer when the other end closes. */
  deaf = false;
  terminated = false;
  pings = 0;
  #events: SocketEvents | undefined;

  listen(events: SocketEvents): void {
    this.#events = events;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as object);
  }

  sendBytes(bytes: Uint8Array): void {
    this.pictures.push(bytes);
  }

  ping(): void {
    this.pings++;
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
    if (!this.deaf) this.leave();
  }

  terminate(): void {
    this.terminated = true;
    this.leave();
  }

  /** What the player says: an object, or any text. */
  say(message: object | string | undefined): void {
    this.#events?.onText(typeof message === "object" ? JSON.stringify(message) : message);
  }

  pong(): void {
    this.#events?.onPong();
  }

  leave(): void {
    this.#events?.onClose();
  }
}

/** The client's end of a socket for bytes, controlled by the test. */
export class FakeByteSocket extends FakeSocket implements ByteConnection {
  /** What the service has sent, as one text. */
  get received(): string {
    return Buffer.concat(this.pictures).toString();
  }
  isPaused = false;
  unread = 0;
  leftWith: number | undefined;
  #bytes: ByteEvents | undefined;

  listenBytes(events: ByteEvents): void {
    this.#bytes = events;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  override say(message: object | string | undefined): void {
    if (!this.#bytes || message === undefined) return super.say(message);
    this.#bytes.onText(typeof message === "object" ? JSON.stringify(message) : message);
  }

  bring(text: string, isEnd = true): void {
    this.#bytes?.onBytes(Buffer.from(text), isEnd);
  }

  drain(): void {
    this.unread = 0;
    this.#bytes?.onDrain();
  }
}

/** A media connection that records what it is sent; the test makes its events. */
export class FakePeer implements ViewerPeer {
  readonly events: PeerEvents;
  readonly units: AccessUnit[] = [];
  readonly sounds: SoundPacket[] = [];
  readonly offers: string[] = [];
  readonly candidates: string[] = [];
  open = false;
  closed = false;
  /** What `send` returns; false for a track that accepts nothing. */
  takes = true;
  readonly video = {
    isOpen: () => this.open,
    send: (unit: AccessUnit) => {
      if (this.takes) this.units.push(unit);
      return this.takes;
    },
  };

  constructor(events: PeerEvents) {
    this.events = events;
  }

  playSound(packet: SoundPacket): void {
    this.sounds.push(packet);
  }

  acceptOffer(sdp: string): void {
    if (sdp === "bad") throw new Error("no SDP");
    this.offers.push(sdp);
    this.events.onAnswer(`answer to ${sdp}`);
  }

  addCandidate(candidate: string): void {
    this.candidates.push(candidate);
  }

  close(): void {
    this.closed = true;
  }

  /** Video and events are open from now on. */
  connect(): void {
    this.open = true;
    this.events.onVideoOpen();
    this.events.onEventsOpen();
  }
}

/** Makes fake peers and records them. */
export function fakePeers(): { peers: FakePeer[]; createPeer: CreatePeer } {
  const peers: FakePeer[] = [];
  return {
    peers,
    createPeer(events) {
      const peer = new FakePeer(events);
      peers.push(peer);
      return peer;
    },
  };
}
