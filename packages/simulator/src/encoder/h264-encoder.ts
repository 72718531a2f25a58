import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_FLOAT,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  Codec,
  CodecContext,
  FFmpegError,
  type Frame,
  Log,
  AV_LOG_ERROR,
  Packet,
  Rational,
  SoftwareScaleContext,
  SWS_FAST_BILINEAR,
} from "node-av";
import { splitAccessUnit } from "./annex-b.ts";
import { reserveFrame } from "./reserve-frame.ts";

export interface EncoderOptions {
  /** Size of the source pictures in pixels. */
  sourceWidth: number;
  sourceHeight: number;
  /** Pixels of the video; both even. */
  width: number;
  height: number;
  /** The maximum bits per second, averaged over half a second. */
  bitRate: number;
  fps: number;
}

export interface EncodedPicture {
  keyFrame: boolean;
  /** SPS and PPS in Annex B, present with every key frame. */
  config: Uint8Array | undefined;
  /** The access unit in Annex B, without SPS and PPS. */
  data: Uint8Array;
}

/** x264's constant quality: lower is better. Text is readable at the first; at the second no loss can be seen. */
const MOVING_QUALITY = 25;
const STILL_QUALITY = 14;
const BUFFER_SECONDS = 0.5;

/** swscale converts rows in groups of this many. */
const ROW_GROUP = 8;
/** How many rows at the end of a picture may have to be copied before they are converted. */
const TAIL_ROWS = 2 * ROW_GROUP;

const settings = {
  preset: "ultrafast",
  tune: "zerolatency",
  profile: "baseline",
  crf: String(MOVING_QUALITY),
  "forced-idr": "1",
  // Key frames are made on request: nobody seeks in a live screen.
  "x264-params": "scenecut=0:repeat-headers=1:keyint=infinite",
};

/** Encodes RGBA pictures to H.264, one at a time. Holds about 15 MB outside the heap until `close`. */
export class H264Encoder {
  static #open = 0;
  static #pixels = 0;
  readonly options: EncoderOptions;
  readonly #codec: CodecContext;
  readonly #scaler: SoftwareScaleContext;
  readonly #tail: Frame;
  readonly #frame: Frame;
  readonly #packet: Packet;
  #still = false;
  #closed = false;

  constructor(options: EncoderOptions) {
    this.options = options;
    const { width, height, sourceWidth, sourceHeight, fps, bitRate } = options;
    Log.setLevel(AV_LOG_ERROR);
    const codec = Codec.findEncoderByName("libx264" as Parameters<typeof Codec.findEncoderByName>[0]);
    if (!codec) throw new Error("this build of node-av has no libx264");
    const context = (this.#codec = new CodecContext());
    context.allocContext3(codec);
    context.width = width;
    context.height = height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, 1_000_000);
    context.framerate = new Rational(fps, 1);
    context.maxBFrames = 0;
    context.threadCount = 1;
    // What swscale converts RGB to by default. A decoder that is not told would guess from the size.
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorSpace = AVCOL_SPC_SMPTE170M;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    context.rcMaxRate = BigInt(bitRate);
    context.rcBufferSize = Math.round(bitRate * BUFFER_SECONDS);
    // Set one by one: node-av 6.1.1 frees a Dictionary that was given to open2 a second time when it is collected.
    for (const [name, value] of Object.entries(settings))
      FFmpegError.throwIfError(
        context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN),
        `set ${name}`,
      );
    FFmpegError.throwIfError(context.open2Sync(codec, null), "open the H.264 encoder");
    this.#scaler = new SoftwareScaleContext();
    this.#scaler.getContext(
      sourceWidth,
      sourceHeight,
      AV_PIX_FMT_RGBA,
      width,
      height,
      AV_PIX_FMT_YUV420P,
      SWS_FAST_BILINEAR,
    );
    this.#tail = reserveFrame(sourceWidth, TAIL_ROWS, AV_PIX_FMT_RGBA);
    this.#frame = reserveFrame(width, height, AV_PIX_FMT_YUV420P);
    this.#packet = new Packet();
    this.#packet.alloc();
    H264Encoder.#open++;
    H264Encoder.#pixels += width * height;
  }

  /** How many encoders of this process are open. */
  static get open(): number {
    return H264Encoder.#open;
  }

  /** In a picture of each open encoder, together: their memory grows with it. */
  static get pixels(): number {
    return H264Encoder.#pixels;
  }

  /**
   * Encodes `pixels` as they are now, which takes this thread 3 to 5 ms. `ptsUs` must grow. `still` asks for better quality.
   */
  encode(
    pixels: Uint8Array,
    { ptsUs, keyFrame, still = false }: { ptsUs: bigint; keyFrame: boolean; still?: boolean },
  ): EncodedPicture {
    if (this.#closed) throw new Error("the encoder is closed");
    if (still !== this.#still) this.#setQuality(still);
    this.#convert(pixels);
    this.#frame.pts = ptsUs;
    this.#frame.pictType = keyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    FFmpegError.throwIfError(this.#codec.sendFrameSync(this.#frame), "encode a frame");
    const code = this.#codec.receivePacketSync(this.#packet);
    if (code === AVERROR_EAGAIN) throw new Error("the encoder kept a frame back");
    FFmpegError.throwIfError(code, "take an encoded frame");
    const bytes = this.#packet.data;
    if (!bytes) throw new Error("the encoder gave an empty packet");
    const picture = splitAccessUnit(bytes);
    this.#packet.unref();
    return picture;
  }

  /** Frees the encoder's memory. May be called twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    H264Encoder.#open--;
    H264Encoder.#pixels -= this.options.width * this.options.height;
    this.#codec.freeContext();
    this.#scaler.freeContext();
    this.#tail.free();
    this.#frame.free();
    this.#packet.free();
  }

  #setQuality(still: boolean): void {
    this.#still = still;
    // The codec's wrapper looks at this before each frame and reconfigures x264.
    this.#codec.setOption("crf", still ? STILL_QUALITY : MOVING_QUALITY, AV_OPT_TYPE_FLOAT, AV_OPT_SEARCH_CHILDREN);
  }

  #convert(pixels: Uint8Array): void {
    const { sourceWidth, sourceHeight } = this.options;
    const row = sourceWidth * 4;
    // x264 may still refer to the last picture's memory.
    FFmpegError.throwIfError(this.#frame.makeWritable(), "reserve a frame");
    const to = planesOf(this.#frame);
    const { linesize } = this.#frame;
    // swscale reads whole vectors, past the end of a plain array: the last rows are copied to memory with room behind them.
    const direct = Math.max(0, sourceHeight - ROW_GROUP) & -ROW_GROUP;
    if (direct > 0) {
      const picture = Buffer.from(pixels.buffer, pixels.byteOffset, row * sourceHeight);
      this.#scaler.scaleSync([picture], [row], 0, direct, to, linesize);
    }
    const tail = planesOf(this.#tail);
    const stride = this.#tail.linesize[0]!;
    for (let y = direct; y < sourceHeight; y++)
      tail[0]!.set(pixels.subarray(y * row, (y + 1) * row), (y - direct) * stride);
    this.#scaler.scaleSync(tail, this.#tail.linesize, direct, sourceHeight - direct, to, linesize);
  }
}

function planesOf(frame: Frame): Buffer[] {
  const planes = frame.data;
  if (!planes) throw new Error("a frame without memory");
  return planes;
}
