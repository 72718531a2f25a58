import { paint, type Painting } from "./painted-video.ts";

/**
 * The far end of the player's protocol in the same page: a socket that answers the offer with a painted picture.
 * It stands in for `WebSocket` until it is stopped.
 */
export function startLoopbackDevice({ token = "good" }: { token?: string } = {}) {
  const RealSocket = globalThis.WebSocket;
  const painting: Painting = paint(180, 320);
  const heard: unknown[] = [];
  const signalled: unknown[] = [];
  const peers: RTCPeerConnection[] = [];
  const sockets: LoopbackSocket[] = [];

  class LoopbackSocket {
    static readonly OPEN = 1;
    readonly OPEN = 1;
    readyState = 0;
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    onerror?: () => void;
    onclose?: (event: { code: number; reason: string }) => void;
    #peer: RTCPeerConnection | undefined;

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

    say(message: object): void {
      this.onmessage?.({ data: JSON.stringify(message) });
    }

    close(code = 1005): void {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.#peer?.close();
      queueMicrotask(() => this.onclose?.({ code, reason: "" }));
    }

    async #answer(message: Record<string, unknown>): Promise<void> {
      if (message["type"] === "token") {
        if (message["token"] === token) this.say({ connection: "ok" });
        else this.close(4242);
      } else if (message["type"] === "offer") {
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
      } else if (!("candidate" in message)) signalled.push(message);
    }
  }

  globalThis.WebSocket = LoopbackSocket as unknown as typeof WebSocket;
  return {
    painting,
    /** What the player sent on its events channel. */
    heard,
    /** What it sent on its socket besides the handshake. */
    signalled,
    sockets,
    stop() {
      globalThis.WebSocket = RealSocket;
      painting.stop();
      for (const peer of peers) peer.close();
    },
  };
}
