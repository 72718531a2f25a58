import {
  AV_CODEC_ID_H264,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Packet,
  SoftwareScaleContext,
  SWS_FAST_BILINEAR,
} from "node-av";

export interface DecodedPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Decodes what a session sends, as a browser would, one access unit at a time. */
export class H264Decoder {
  readonly #context: CodecContext;
  #config = new Uint8Array(0);

  constructor() {
    const codec = Codec.findDecoder(AV_CODEC_ID_H264);
    if (!codec) throw new Error("no H.264 decoder");
    this.#context = new CodecContext();
    this.#context.allocContext3(codec);
    this.#context.threadCount = 1;
    FFmpegError.throwIfError(this.#context.open2Sync(codec, null), "open the decoder");
  }

  /** Headers, put before the next access unit. */
  config(data: Uint8Array): void {
    this.#config = data.slice();
  }

  decode(data: Uint8Array): DecodedPicture {
    const packet = new Packet();
    packet.alloc();
    packet.data = Buffer.concat([this.#config, data]);
    this.#config = new Uint8Array(0);
    FFmpegError.throwIfError(this.#context.sendPacketSync(packet), "decode");
    const frame = new Frame();
    frame.alloc();
    let code = this.#context.receiveFrameSync(frame);
    // Without the option for low delay the decoder waits for pictures that could come before this one.
    if (code < 0) {
      this.#context.sendPacketSync(null);
      code = this.#context.receiveFrameSync(frame);
      this.#context.flushBuffers();
    }
    FFmpegError.throwIfError(code, "take a picture");
    const { width, height } = frame;
    // swscale writes whole vectors: room behind the last row.
    const pixels = Buffer.alloc(width * height * 4 + 256);
    const scaler = new SoftwareScaleContext();
    scaler.getContext(width, height, AV_PIX_FMT_YUV420P, width, height, AV_PIX_FMT_RGBA, SWS_FAST_BILINEAR);
    scaler.scaleSync(frame.data!, frame.linesize, 0, height, [pixels], [width * 4]);
    scaler.freeContext();
    frame.free();
    packet.free();
    return { width, height, pixels };
  }

  close(): void {
    this.#context.freeContext();
  }
}

/** The colour at a point, as three numbers. */
export const colourAt = ({ width, pixels }: DecodedPicture, x: number, y: number): [number, number, number] => {
  const at = (y * width + x) * 4;
  return [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
};
