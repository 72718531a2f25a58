import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLTP, Codec, CodecContext, FFmpegError, Frame, Packet } from "node-av";

/** How loud each packet of opus is once decoded: the root of its samples' mean square, 0 to 1. */
export function loudnessOf(packets: readonly Uint8Array[]): number[] {
  const codec = Codec.findDecoderByName("opus" as Parameters<typeof Codec.findDecoderByName>[0]);
  if (!codec) throw new Error("no opus decoder");
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = 48_000;
  context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  FFmpegError.throwIfError(context.open2Sync(codec, null), "open the decoder");
  const frame = new Frame();
  frame.alloc();
  const loudness = packets.map((data) => {
    const packet = new Packet();
    packet.alloc();
    packet.data = Buffer.from(data);
    FFmpegError.throwIfError(context.sendPacketSync(packet), "decode");
    packet.free();
    FFmpegError.throwIfError(context.receiveFrameSync(frame), "take samples");
    if (frame.format !== AV_SAMPLE_FMT_FLTP) throw new Error(`samples of format ${frame.format}`);
    const plane = frame.data![0]!;
    let squares = 0;
    for (let at = 0; at < frame.nbSamples; at++) squares += plane.readFloatLE(at * 4) ** 2;
    return Math.sqrt(squares / frame.nbSamples);
  });
  context.freeContext();
  frame.free();
  return loudness;
}
