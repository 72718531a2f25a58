import { type DataChannel, PeerConnection, RtcpReceivingSession, type Track, Video } from "node-datachannel";
import { WebSocket } from "ws";
import { Depacketizer, type ReceivedPicture } from "./depacketizer.ts";

/** Constrained baseline, as Chromium offers it. */
const H264 = "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f";

/** A frame, and when its last packet arrived, in ms of `performance.now()`. */
export interface SeenPicture extends ReceivedPicture {
  at: number;
}

/** When each step on the way to the first frame was done, in ms of `performance.now()`. */
export interface ViewerSteps {
  socketOpen?: number;
  /** The token was accepted, and the device may still be to come. */
  connection?: number;
  /** How the device looks has come over the socket. */
  still?: number;
  answer?: number;
  trackOpen?: number;
  eventsOpen?: number;
}

/** How far a viewer goes that never completes its connection: it has no offer, or gives and takes no address. */
export type HalfWay = "offer" | "addresses";

/** The gateway ended the connection. */
export class ViewerClosed extends Error {
  override readonly name = "ViewerClosed";
  readonly code: number;

  constructor(code: number, reason: string) {
    super(`closed with ${code} ${reason}`);
    this.code = code;
  }
}

/** Watches a device as the web player does, but without decoding: signalling, video and the events channel. */
export class Viewer {
  readonly pictures: SeenPicture[] = [];
  readonly steps: ViewerSteps = {};
  /** How the socket was closed, once it was. */
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;
  readonly #without: HalfWay | undefined;
  readonly #depacketizer = new Depacketizer();
  #connection: PeerConnection | undefined;
  #video: Track | undefined;
  #events: DataChannel | undefined;
  #error: Error | undefined;
  #changed = Promise.withResolvers<void>();

  /**
   * Connects at once, and sends the token when connected.
   * @param options.without what it never does
   * @param options.from the loopback address it comes from
   */
  constructor(url: string, token: Promise<string>, { without, from }: { without?: HalfWay; from?: string } = {}) {
    this.#without = without;
    this.#socket = new WebSocket(url, { ...(from !== undefined && { localAddress: from }) });
    // It may be refused before the socket is open.
    const admitted = token.catch((error: unknown) => this.#fail(error));
    this.#socket.on("open", () => {
      this.steps.socketOpen = performance.now();
      void admitted.then((text) => text !== undefined && this.#send({ type: "token", token: text }));
    });
    this.#socket.on("message", (data, isBinary) => {
      if (isBinary) this.steps.still ??= performance.now();
      else this.#receive(JSON.parse((data as Buffer).toString("utf8")) as object);
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#fail(new ViewerClosed(code, reason.toString()));
    });
  }

  get eventsOpen(): boolean {
    return this.#events?.isOpen() === true;
  }

  /** Resolves with the result of `look`, which is called after each change; rejects when the viewer fails or after the timeout. */
  async until<Found>(what: string, timeoutMs: number, look: () => Found | undefined): Promise<Found> {
    let timedOut = false;
    const timer = setTimeout(() => ((timedOut = true), this.#change()), timeoutMs);
    try {
      for (;;) {
        const found = look();
        if (found !== undefined) return found;
        if (this.#error) throw this.#error;
        if (timedOut) throw new Error(`${what}: not within ${timeoutMs} ms`);
        await this.#changed.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Taps at a place given in fractions of the frame's size; returns when that was sent, in ms of `performance.now()`. */
  tap(across: number, down: number): number {
    const { width, height } = this.#depacketizer.size;
    const position = { x: Math.round(width * across), y: Math.round(height * down) };
    const at = performance.now();
    this.#events?.sendMessage(JSON.stringify({ type: "MOUSE_PRESS", ...position }));
    this.#events?.sendMessage(JSON.stringify({ type: "MOUSE_RELEASE", ...position }));
    return at;
  }

  /** Leaves without a word. */
  close(): void {
    this.closePeer();
    this.destroySocket();
  }

  /** Leaves as a page does that is closed. */
  leave(): void {
    this.closePeer();
    this.#socket.close(1000);
  }

  closePeer(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  destroySocket(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.terminate();
  }

  #receive(message: { sdp?: string; candidate?: string; sdpMid?: string; connection?: unknown }): void {
    if (message.sdp !== undefined) {
      this.steps.answer = performance.now();
      if (this.#without !== "addresses") this.#connection?.setRemoteDescription(message.sdp, "answer");
    } else if (message.candidate !== undefined) {
      if (this.#without !== "addresses") this.#connection?.addRemoteCandidate(message.candidate, message.sdpMid ?? "0");
    } else if (message.connection !== undefined) {
      this.steps.connection = performance.now();
      if (this.#without !== "offer") this.#connect();
      this.#send({ type: "VIDEO", still: true });
    }
    this.#change();
  }

  #connect(): void {
    const connection = new PeerConnection("viewer", {
      iceServers: [],
      bindAddress: "127.0.0.1",
      disableAutoNegotiation: true,
    });
    this.#connection = connection;
    connection.onLocalDescription((sdp, type) => this.#send({ type, sdp }));
    if (this.#without !== "addresses")
      connection.onLocalCandidate((candidate, sdpMid) => this.#send({ candidate, sdpMid }));
    const video = new Video("0", "RecvOnly");
    video.addH264Codec(102, H264);
    this.#video = connection.addTrack(video);
    this.#video.setMediaHandler(new RtcpReceivingSession());
    // Otherwise their handlers stay in memory, and this with them.
    this.#video.onClosed(() => this.#video?.close());
    this.#video.onOpen(() => (this.steps.trackOpen = performance.now()));
    this.#video.onMessage((packet) => {
      const picture = this.#depacketizer.push(packet);
      if (!picture) return;
      this.pictures.push({ ...picture, at: performance.now() });
      this.#change();
    });
    this.#events = connection.createDataChannel("events");
    this.#events.onClosed(() => this.#events?.close());
    this.#events.onOpen(() => {
      this.steps.eventsOpen = performance.now();
      this.#change();
    });
    connection.setLocalDescription("offer");
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #fail(error: unknown): void {
    this.#error ??= error instanceof Error ? error : new Error(String(error));
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
