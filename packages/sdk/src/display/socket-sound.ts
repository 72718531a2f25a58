import { onceTouched } from "./once-touched.ts";

/** What precedes each packet: `packages/player` has it in a table. */
const HEADER_BYTES = 16;
const HERTZ = 48_000;

/** The gateway sends a second ahead of what it knows to be heard. */
const CONFIRM_EVERY = 5;

/** Packets come unevenly: the first of a sound waits for the next. */
const LEAD_SECONDS = 0.06;
/** What is later than this, after the network stood still, is no longer of interest. */
const MAX_AHEAD_SECONDS = 0.3;

/** Whether this browser can decode sound itself. */
export const canHear = (): boolean => typeof AudioDecoder !== "undefined";

/** A device's sound that comes over its socket as packets of opus. It takes no memory and no sound card while it is off. */
export class SocketSound {
  readonly #say: (message: object) => void;
  #on: { context: AudioContext; decoder: AudioDecoder; output: AudioNode; stop: AbortController } | undefined;
  /** When what was decoded so far has been played, in the context's seconds. */
  #until = 0;

  /** @param say sends to the gateway. */
  constructor(say: (message: object) => void) {
    this.#say = say;
  }

  /** What is heard; undefined while it is off. */
  get output(): AudioNode | undefined {
    return this.#on?.output;
  }

  /** Plays what comes, once somebody has touched the page, or no longer. */
  turn(on: boolean): void {
    if (on === (this.#on !== undefined)) return;
    if (!on) return this.close();
    const context = new AudioContext({ latencyHint: "interactive", sampleRate: HERTZ });
    const output = context.createGain();
    output.connect(context.destination);
    const stop = new AbortController();
    this.#on = { context, output, stop, decoder: this.#decoder() };
    this.#until = 0;
    onceTouched(stop.signal, () => void context.resume());
  }

  /** A binary message of the socket. */
  take(message: ArrayBuffer): void {
    if (message.byteLength <= HEADER_BYTES) return;
    const header = new DataView(message);
    const number = header.getUint32(4);
    if (number % CONFIRM_EVERY === CONFIRM_EVERY - 1) this.#say({ type: "SOUND", heard: number });
    if (!this.#on) return;
    if (this.#on.decoder.state === "closed") this.#on.decoder = this.#decoder();
    const timestamp = Number(header.getBigUint64(8));
    this.#on.decoder.decode(
      new EncodedAudioChunk({ type: "key", timestamp, data: new Uint8Array(message, HEADER_BYTES) }),
    );
  }

  close(): void {
    if (!this.#on) return;
    const { context, decoder, stop } = this.#on;
    this.#on = undefined;
    stop.abort();
    if (decoder.state !== "closed") decoder.close();
    void context.close();
  }

  /** One that met a packet it cannot decode is closed, and the next packet has a new one. */
  #decoder(): AudioDecoder {
    const decoder = new AudioDecoder({ output: (data) => this.#play(data), error: () => undefined });
    decoder.configure({ codec: "opus", sampleRate: HERTZ, numberOfChannels: 2 });
    return decoder;
  }

  #play(data: AudioData): void {
    const { context, output } = this.#on ?? {};
    // Before somebody has touched the page its time stands still, and all would be heard at once.
    if (!context || !output || context.state !== "running") return data.close();
    const now = context.currentTime;
    const at = this.#until > now ? this.#until : now + LEAD_SECONDS;
    if (at > now + MAX_AHEAD_SECONDS) return data.close();
    const buffer = context.createBuffer(data.numberOfChannels, data.numberOfFrames, data.sampleRate);
    for (let channel = 0; channel < data.numberOfChannels; channel++)
      data.copyTo(buffer.getChannelData(channel), { planeIndex: channel, format: "f32-planar" });
    data.close();
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(output);
    source.start(at);
    this.#until = at + buffer.duration;
  }
}
