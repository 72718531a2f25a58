import { aborted } from "@terrarium/clock";
import type { MediaPacket } from "@terrarium/scrcpy";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import { encodedSound, opusHead, PACKET_MS, SILENCE } from "../sound/encoded-sound.ts";
import { RING_PAUSE_MS } from "../sound/sounds.ts";

/** Android captures sound since its version 11. */
export const SOUND_SINCE = 30;

/**
 * The sound of one session. Android sends packets all the time; here nothing is sent, and nothing done, while there is nothing to hear. A
 * sound takes the place of the one before it.
 */
export class AudioStream {
  readonly #device: SimulatedDevice;
  #packets: readonly Uint8Array[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(device: SimulatedDevice) {
    this.#device = device;
  }

  /** Sends until the signal aborts or `send` rejects. */
  async run(send: (packet: MediaPacket) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { speaker, state } = this.#device;
    const play = (packets: readonly Uint8Array[]) => {
      this.#packets = packets;
      this.#wake.resolve();
    };
    const stopWatching = speaker.watch((sound) =>
      // Silence, or a decoder would go on with what it heard last.
      play(sound === "nothing" ? [SILENCE] : encodedSound(sound, state.values.volume)),
    );
    try {
      await send({ type: "config", data: opusHead });
      if (speaker.isRinging) play(encodedSound("ring", state.values.volume));
      while (!signal.aborted) {
        await this.#play(send, signal);
        await this.#rest(signal);
        if (this.#packets.length === 0 && speaker.isRinging) play(encodedSound("ring", state.values.volume));
      }
    } finally {
      stopWatching();
    }
  }

  /** Sends what there is, each packet in its time. */
  async #play(send: (packet: MediaPacket) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#device;
    const startMs = clock.monotonic();
    const startUs = BigInt(Math.round(this.#device.uptimeMs * 1_000));
    for (let sent = 0; this.#packets.length > 0; sent++) {
      const [data = SILENCE, ...rest] = this.#packets;
      this.#packets = rest;
      await send({ type: "frame", keyFrame: true, ptsUs: startUs + BigInt(sent * PACKET_MS * 1_000), data });
      const waitMs = startMs + (sent + 1) * PACKET_MS - clock.monotonic();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  }

  /** Waits for the next sound, or for the telephone to ring again. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (this.#packets.length > 0) return;
    this.#wake = Promise.withResolvers();
    const over = new AbortController();
    const ended = AbortSignal.any([signal, over.signal]);
    const due = this.#device.speaker.isRinging
      ? this.#device.clock.sleep(RING_PAUSE_MS, ended).catch(() => undefined)
      : aborted(ended);
    await Promise.race([this.#wake.promise, due]);
    over.abort();
  }
}
