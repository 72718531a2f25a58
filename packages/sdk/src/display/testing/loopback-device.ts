import { paint, type Painting } from "./painted-video.ts";

interface Options {
  token?: string;
  /** Answers no offer, as where the network lets no WebRTC through. */
  isBlocked?: boolean;
  /** What it sends to a page that asks how the device looks. */
  still?: ArrayBuffer;
}

/**
 * The far end of the player's protocol in the same page: a socket that answers the offer with a painted picture, or sends it itself if
 * asked to. It stands in for `WebSocket` until it is stopped.
 */
export function startLoopbackDevice({ token = "good", isBlocked = false, still }: Options = {}) {
  const RealSocket = globalThis.WebSocket;
  const painting: Painting = paint(180, 320);
  const heard: unknown[] = [];
  const signalled: unknown[] = [];
  const peers: RTCPeerConnection[] = [];
  const sockets: LoopbackSocket[] = [];
  const seen: number[] = [];
  const asked: unknown[] = [];
  const encoders: { stop(): void; askForKeyFrame(): void }[] = [];

  class LoopbackSocket {
    static readonly OPEN = 1;
    readonly OPEN = 1;
    readyState = 0;
    onopen?: () => void;
    onmessage?: (event: { data: string | ArrayBuffer }) => void;
    onerror?: () => void;
    onclose?: (event: { code: number; reason: string }) => void;
    #peer: RTCPeerConnection | undefined;
    #encoder: ReturnType<typeof encode> | undefined;

    constructor() {
      sockets.push(this);
      queueMicrotask(() => {
        this.readyState = 1;
        this.onopen?.();
      });
    }

    send(text: string): void {
      void this.#answer(JSON.parse(text) as Record<string, unknown>);
    }

    #show(picture: ArrayBuffer | undefined): void {
      if (picture) this.onmessage?.({ data: picture });
    }

    say(message: object): void {
      this.onmessage?.({ data: JSON.stringify(message) });
    }

    close(code = 1005): void {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.#peer?.close();
      this.#encoder?.stop();
      queueMicrotask(() => this.onclose?.({ code, reason: "" }));
    }

    async #answer(message: Record<string, unknown>): Promise<void> {
      if (message["type"] === "token") {
        if (message["token"] === token) this.say({ connection: "ok" });
        else this.close(4242);
      } else if (message["type"] === "VIDEO") {
        if (message["at"] !== undefined) this.say(message);
        else if (message["still"] === true) this.#show(still);
        else if (typeof message["seen"] === "number") seen.push(message["seen"]);
        else if (this.#encoder) this.#encoder.askForKeyFrame();
        else encoders.push((this.#encoder = encode(painting.canvas, (data) => this.onmessage?.({ data }))));
      } else if (message["type"] === "offer") {
        if (isBlocked) return;
        const peer = new RTCPeerConnection();
        this.#peer = peer;
        peers.push(peer);
        peer.onicecandidate = ({ candidate }) => candidate && this.say(candidate.toJSON());
        peer.ondatachannel = ({ channel }) => {
          channel.addEventListener("message", ({ data }) => heard.push(JSON.parse(String(data))));
        };
        await peer.setRemoteDescription(message as unknown as RTCSessionDescriptionInit);
        const [track] = painting.stream.getVideoTracks();
        if (track) peer.addTrack(track, painting.stream);
        await peer.setLocalDescription();
        this.say(peer.localDescription?.toJSON() as object);
      } else if (typeof message["candidate"] === "string" && message["candidate"] !== "") {
        await this.#peer?.addIceCandidate(message);
      } else if (message["type"] === "SOUND") {
        asked.push(message["on"] ?? message["heard"]);
      } else if (message["type"] === "ROOM") {
        signalled.push(message);
      } else if (message["candidate"] === undefined) {
        heard.push(message);
      }
    }
  }

  globalThis.WebSocket = LoopbackSocket as unknown as typeof WebSocket;
  return {
    painting,
    /** What the player sent on its events channel, or instead of it on its socket. */
    heard,
    /** The numbers of the pictures it said it has seen on the socket. */
    seen,
    /** Whether sound was to be sent, and up to which packet it was heard, in turn. */
    asked,
    peers,
    /** What it sent on its socket besides the handshake. */
    signalled,
    sockets,
    stop() {
      globalThis.WebSocket = RealSocket;
      painting.stop();
      for (const encoder of encoders) encoder.stop();
      for (const peer of peers) peer.close();
    },
  };
}

/** Encodes a canvas as a device does, and hands each picture on as the gateway sends it. */
function encode(canvas: HTMLCanvasElement, send: (message: ArrayBuffer) => void) {
  let number = 0;
  let wantsKey = true;
  let size = "";
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const message = new Uint8Array(16 + chunk.byteLength);
      const header = new DataView(message.buffer);
      header.setUint8(0, chunk.type === "key" ? 1 : 0);
      header.setUint32(4, number++);
      header.setBigUint64(8, BigInt(chunk.timestamp));
      chunk.copyTo(message.subarray(16));
      send(message.buffer);
    },
    error: (error) => console.error(error),
  });
  const timer = setInterval(() => {
    const { width, height } = canvas;
    if (size !== `${width}x${height}`) {
      size = `${width}x${height}`;
      encoder.configure({ codec: "avc1.42E01F", width, height, latencyMode: "realtime", avc: { format: "annexb" } });
      wantsKey = true;
    }
    const frame = new VideoFrame(canvas, { timestamp: performance.now() * 1_000 });
    encoder.encode(frame, { keyFrame: wantsKey });
    frame.close();
    wantsKey = false;
  }, 33);
  return {
    askForKeyFrame: () => void (wantsKey = true),
    stop: () => {
      clearInterval(timer);
      if (encoder.state !== "closed") encoder.close();
    },
  };
}
