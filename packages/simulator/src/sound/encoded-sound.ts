import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_ERROR,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_FLT,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Log,
  Packet,
  Rational,
} from "node-av";
import { MAX_VOLUME } from "../device/device-state.ts";
import { type SoundName, sounds } from "./sounds.ts";

const HERTZ = 48_000;
/** Of one packet. */
export const PACKET_MS = 20;
const SAMPLES = (HERTZ * PACKET_MS) / 1_000;
const BIT_RATE = 48_000n;

/** A packet of 20 ms in which there is nothing to hear. */
export const SILENCE: Uint8Array = new Uint8Array([0xf8, 0xff, 0xfe]);

/** What a decoder is sent first, an `OpusHead`: one channel, 48 kHz. */
export const opusHead: Uint8Array = Buffer.from("4f707573486561640101780080bb0000000000", "hex");

/** Few sounds at few volumes: each is encoded once for all devices of this process, when it is first heard. */
const encoded = new Map<string, readonly Uint8Array[]>();

/** A sound as packets of opus that end in silence, at a volume of 1 to 15. None at 0. */
export function encodedSound(name: SoundName, volume: number): readonly Uint8Array[] {
  if (volume <= 0) return [];
  const key = `${name} ${volume}`;
  const known = encoded.get(key);
  if (known) return known;
  const { ms, at } = sounds[name];
  // Ears hear ratios: half way up is a third as loud.
  const gain = (volume / MAX_VOLUME) ** 1.5;
  const packets = [...encode(Math.ceil(ms / PACKET_MS), (sample) => gain * at(sample / HERTZ)), SILENCE];
  encoded.set(key, packets);
  return packets;
}

/** Takes half a millisecond for each packet. */
function encode(packets: number, sampleAt: (sample: number) => number): Uint8Array[] {
  Log.setLevel(AV_LOG_ERROR);
  const codec = Codec.findEncoderByName("libopus" as Parameters<typeof Codec.findEncoderByName>[0]);
  if (!codec) throw new Error("this build of node-av has no libopus");
  const context = new CodecContext();
  const frame = new Frame();
  const packet = new Packet();
  try {
    context.allocContext3(codec);
    context.sampleRate = HERTZ;
    context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    context.sampleFormat = AV_SAMPLE_FMT_FLT;
    context.timeBase = new Rational(1, HERTZ);
    context.bitRate = BIT_RATE;
    const option = context.setOption("application", "lowdelay", AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    FFmpegError.throwIfError(option, "set application");
    FFmpegError.throwIfError(context.open2Sync(codec, null), "open the opus encoder");
    frame.alloc();
    frame.nbSamples = SAMPLES;
    frame.format = AV_SAMPLE_FMT_FLT;
    frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    frame.sampleRate = HERTZ;
    FFmpegError.throwIfError(frame.getBuffer(), "reserve a frame");
    packet.alloc();
    const all: Uint8Array[] = [];
    const take = (end: number) => {
      for (;;) {
        const code = context.receivePacketSync(packet);
        if (code === end) return;
        FFmpegError.throwIfError(code, "take a packet");
        if (packet.data) all.push(Uint8Array.from(packet.data));
        packet.unref();
      }
    };
    for (let at = 0; at < packets; at++) {
      FFmpegError.throwIfError(frame.makeWritable(), "reserve a frame");
      const plane = frame.data?.[0];
      if (!plane) throw new Error("a frame without memory");
      for (let sample = 0; sample < SAMPLES; sample++)
        plane.writeFloatLE(sampleAt(at * SAMPLES + sample), sample * Float32Array.BYTES_PER_ELEMENT);
      frame.pts = BigInt(at * SAMPLES);
      FFmpegError.throwIfError(context.sendFrameSync(frame), "encode a frame");
      take(AVERROR_EAGAIN);
    }
    FFmpegError.throwIfError(context.sendFrameSync(null), "end the sound");
    take(AVERROR_EOF);
    return all;
  } finally {
    context.freeContext();
    frame.free();
    packet.free();
  }
}
