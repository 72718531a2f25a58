import { Audio, type DataChannel, PeerConnection, RtcpReceivingSession, type Track, Video } from "node-datachannel";
import { once } from "node:events";
import { WebSocket } from "ws";
import { Depacketizer, type ReceivedPicture } from "./depacketizer.ts";

/** Constrained baseline, as Chromium offers it. */
const H264 = "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f";

/** Without extensions, which are for video only. */
const RTP_HEADER_BYTES = 12;

/** A player in Node: receives RTP packets and can send what a real player sends. */
export class TestPlayer {
  readonly pictures: ReceivedPicture[] = [];
  /** Packets of the audio track, by the times of their RTP headers. */
  readonly sounds: { time: number; data: Buffer }[] = [];
  /** Everything received on the signalling socket except SDP and candidates. */
  readonly messages: { type?: string; message?: unknown; connection?: string }[] = [];
  readonly #socket: WebSocket;
  readonly #depacketizer = new Depacketizer();
  #connection: PeerConnection | undefined;
  /** Referenced so that they are not garbage-collected. */
  readonly #tracks: Track[] = [];
  #video: Track | undefined;
  #events: DataChannel | undefined;
  #answers = 0;
  #changed = Promise.withResolvers<void>();

  constructor(url: string, token: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on("open", () => this.#say({ type: "token", token }));
    this.#socket.on("message", (data) => this.#take(JSON.parse((data as Buffer).toString("utf8")) as object));
  }

  get answers(): number {
    return this.#answers;
  }

  /** Resolves with the code and the reason when the server closes the socket. */
  async closed(): Promise<{ code: number; reason: string }> {
    const [code, reason] = (await once(this.#socket, "close")) as [number, Buffer];
    return { code, reason: reason.toString("utf8") };
  }

  /** Resolves when `isTrue` returns true; it is called whenever something arrives. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await this.#changed.promise;
  }

  event(event: object): void {
    this.#events?.sendMessage(JSON.stringify(event));
  }

  get eventsOpen(): boolean {
    return this.#events?.isOpen() === true;
  }

  loseKeyFrame(): void {
    this.#video?.requestKeyframe();
  }

  offerAgain(): void {
    this.#connection?.setLocalDescription("offer");
  }

  close(): void {
    this.#connection?.close();
    this.#socket.terminate();
  }

  #take(message: { sdp?: string; candidate?: string; sdpMid?: string; connection?: string }): void {
    if (message.sdp !== undefined) {
      this.#answers++;
      this.#connection?.setRemoteDescription(message.sdp, "answer");
    } else if (message.candidate !== undefined) {
      this.#connection?.addRemoteCandidate(message.candidate, message.sdpMid ?? "0");
    } else {
      this.messages.push(message);
      if (message.connection) this.#connect();
    }
    this.#change();
  }

  #connect(): void {
    const connection = new PeerConnection("player", {
      iceServers: [],
      bindAddress: "127.0.0.1",
      disableAutoNegotiation: true,
    });
    this.#connection = connection;
    connection.onLocalDescription((sdp, type) => this.#say({ type, sdp }));
    connection.onLocalCandidate((candidate, sdpMid) => this.#say({ candidate, sdpMid }));

    const audio = new Audio("0", "RecvOnly");
    audio.addOpusCodec(111);
    const heard = connection.addTrack(audio);
    heard.setMediaHandler(new RtcpReceivingSession());
    heard.onMessage((packet) => {
      this.sounds.push({ time: packet.readUInt32BE(4), data: packet.subarray(RTP_HEADER_BYTES) });
      this.#change();
    });
    this.#tracks.push(heard);
    const video = new Video("1", "RecvOnly");
    video.addH264Codec(102, H264);
    this.#video = connection.addTrack(video);
    this.#video.setMediaHandler(new RtcpReceivingSession());
    this.#video.onMessage((packet) => {
      const picture = this.#depacketizer.push(packet);
      if (picture) this.pictures.push(picture);
      this.#change();
    });
    this.#events = connection.createDataChannel("events");
    this.#events.onOpen(() => this.#change());
    connection.setLocalDescription("offer");
  }

  #say(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
