import { codecOf } from "./h264.ts";
import { pictureStream } from "./picture-stream.ts";

/** What precedes each access unit: `packages/player` has it in a table. */
const HEADER_BYTES = 16;

/** A decoder with more waiting than this does not keep up, so nothing is confirmed, and the gateway sends no more. */
const MAX_WAITING = 2;

/** The page asks each second. A network that swallows everything closes no socket, so silence is taken for its loss. */
const MAX_UNANSWERED = 8;

/** Decodes the one picture that comes over the socket while WebRTC connects. Who asked closes it. Rejects if it cannot be decoded. */
export async function decodeStill(message: ArrayBuffer): Promise<VideoFrame> {
  const { promise, resolve, reject } = Promise.withResolvers<VideoFrame>();
  const decoder = new VideoDecoder({ output: resolve, error: reject });
  try {
    const data = new Uint8Array(message, HEADER_BYTES);
    decoder.configure({ codec: codecOf(data) ?? "", optimizeForLatency: true });
    decoder.decode(new EncodedVideoChunk({ type: "key", timestamp: 0, data }));
    await decoder.flush();
    return await promise;
  } finally {
    if (decoder.state !== "closed") decoder.close();
  }
}

/** A device's picture that comes over its socket as H.264, for a `video` element, so that what reads that works as with WebRTC. */
export class SocketVideo {
  readonly #pictures = pictureStream();
  readonly #say: (message: object) => void;
  readonly #onSilence: () => void;
  #unanswered = 0;
  #decoder: VideoDecoder | undefined;
  #codec: string | undefined;
  #unconfirmed: number | undefined;
  #bytes = 0;
  #units = 0;
  #frames = 0;
  #roundTripMs: number | undefined;

  /**
   * @param say sends to the gateway
   * @param onSilence hears that it answers no more
   */
  constructor(say: (message: object) => void, onSilence: () => void) {
    this.#say = say;
    this.#onSilence = onSilence;
    this.#askForKeyFrame();
  }

  get stream(): MediaStream {
    return this.#pictures.stream;
  }

  /** A binary message of the socket. */
  take(message: ArrayBuffer): void {
    if (message.byteLength <= HEADER_BYTES) return;
    const header = new DataView(message);
    // An answer comes after the pictures that were under way before it.
    this.#unanswered = 0;
    this.#bytes += message.byteLength;
    this.#units++;
    const isKey = header.getUint8(0) === 1;
    this.#decode(isKey ? "key" : "delta", Number(header.getBigUint64(8)), new Uint8Array(message, HEADER_BYTES));
    this.#unconfirmed = header.getUint32(4);
    this.#confirm();
  }

  /** The gateway has answered what was asked at this time. */
  answered(at: unknown): void {
    this.#unanswered = 0;
    if (typeof at === "number") this.#roundTripMs = performance.now() - at;
  }

  /** Counters as a peer connection reports them. Asks how long a message takes, for the next time. */
  stats(): Map<string, object> {
    if (++this.#unanswered > MAX_UNANSWERED) this.#onSilence();
    this.#say({ type: "VIDEO", at: performance.now() });
    const video = {
      type: "inbound-rtp",
      kind: "video",
      timestamp: performance.now(),
      bytesReceived: this.#bytes,
      framesDecoded: this.#frames,
      packetsReceived: this.#units,
      packetsLost: 0,
    };
    const seconds = this.#roundTripMs === undefined ? undefined : this.#roundTripMs / 1_000;
    const pair = { type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: seconds };
    return new Map<string, object>(this.#units > 0 ? Object.entries({ video, pair }) : []);
  }

  close(): void {
    if (this.#decoder && this.#decoder.state !== "closed") this.#decoder.close();
    this.#decoder = undefined;
    for (const track of this.stream.getTracks()) track.stop();
  }

  #decode(type: EncodedVideoChunkType, timestamp: number, data: Uint8Array<ArrayBuffer>): void {
    const decoder = type === "key" ? this.#decoderFor(codecOf(data)) : this.#decoder;
    // The gateway begins with a key frame, so this follows a fault of the decoder.
    if (decoder?.state !== "configured") return;
    decoder.decode(new EncodedVideoChunk({ type, timestamp, data }));
  }

  /** A device that turns changes its parameters, and mostly not its codec. */
  #decoderFor(codec: string | undefined): VideoDecoder | undefined {
    if (!codec || (codec === this.#codec && this.#decoder?.state === "configured")) return this.#decoder;
    if (this.#decoder && this.#decoder.state !== "closed") this.#decoder.close();
    const decoder = new VideoDecoder({
      output: (frame) => {
        this.#pictures.show(frame);
        this.#frames++;
      },
      error: () => decoder === this.#decoder && this.#askForKeyFrame(),
    });
    decoder.ondequeue = () => this.#confirm();
    decoder.configure({ codec, optimizeForLatency: true });
    this.#decoder = decoder;
    this.#codec = codec;
    return decoder;
  }

  #confirm(): void {
    if (this.#unconfirmed === undefined || (this.#decoder?.decodeQueueSize ?? 0) > MAX_WAITING) return;
    this.#say({ type: "VIDEO", seen: this.#unconfirmed });
    this.#unconfirmed = undefined;
  }

  #askForKeyFrame(): void {
    this.#say({ type: "VIDEO" });
  }
}
