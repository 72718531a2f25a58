import {
  AV_FRAME_DATA_VIDEO_HINT,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_FLOAT,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_VIDEO_HINT_TYPE_CHANGED,
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
  SWS_POINT,
} from "node-av";
import type { Area } from "./area.ts";
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

/** How many rows are converted at once at most: what has changed is rounded to them. */
const MAX_STRIP_ROWS = 32;
/** How far a pixel reaches into the colour of its neighbours, whose resolution is halved. */
const BLUR = 2;
/** Sizes of AVVideoHint and AVVideoRect (libavutil/video_hint.h) on 64 bits. */
const HINT_BYTES = 32;
const HINT_RECT_BYTES = 16;

const settings = {
  preset: "ultrafast",
  tune: "zerolatency",
  profile: "baseline",
  crf: String(MOVING_QUALITY),
  "forced-idr": "1",
  // It gets a map of the blocks that cannot have changed.
  mb_info: "1",
  // Key frames are made on request: nobody seeks in a live screen.
  "x264-params": "scenecut=0:repeat-headers=1:keyint=infinite",
};

/** Encodes RGBA pictures to H.264, one at a time. Holds about 15 MB outside the heap until `close`. */
export class H264Encoder {
  static #open = 0;
  static #pixels = 0;
  readonly options: EncoderOptions;
  readonly #codec: CodecContext;
  /** While something moves colours are taken of every other row: that costs three quarters. */
  readonly #scalers = { moving: new SoftwareScaleContext(), still: new SoftwareScaleContext() };
  /** Rows that are converted at once. Every height is a multiple of 8. */
  readonly #strip: number;
  /** If the picture is encoded as large as it is, each strip of it can be converted by itself. */
  readonly #isScaled: boolean;
  readonly #tail: Frame;
  readonly #frame: Frame;
  /** Of both. Each time node-av is asked for them, V8 counts their bytes again, and soon collects all garbage. */
  readonly #planes: { frame: Buffer[]; tail: Buffer[] };
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
    // What swscale converts RGB to by default. Without this, a decoder would guess from the size.
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
    this.#strip = Math.min(MAX_STRIP_ROWS, sourceHeight & -sourceHeight);
    this.#isScaled = width !== sourceWidth || height !== sourceHeight;
    const [rows, toRows] = this.#isScaled ? [sourceHeight, height] : [this.#strip, this.#strip];
    const [from, to] = [AV_PIX_FMT_RGBA, AV_PIX_FMT_YUV420P];
    const fast = this.#isScaled ? SWS_FAST_BILINEAR : SWS_POINT;
    this.#scalers.moving.getContext(sourceWidth, rows, from, width, toRows, to, fast);
    this.#scalers.still.getContext(sourceWidth, rows, from, width, toRows, to, SWS_FAST_BILINEAR);
    this.#tail = reserveFrame(sourceWidth, this.#strip, AV_PIX_FMT_RGBA);
    this.#frame = reserveFrame(width, height, AV_PIX_FMT_YUV420P);
    this.#planes = { frame: planesOf(this.#frame), tail: planesOf(this.#tail) };
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
   * Encodes `pixels` as they are now, which takes this thread 2 to 6 ms. `ptsUs` must grow. `still` asks for better quality. With `changed`,
   * everything else is as in the last picture.
   */
  encode(
    pixels: Uint8Array,
    options: { ptsUs: bigint; keyFrame: boolean; still?: boolean; changed?: readonly Area[] | undefined },
  ): EncodedPicture {
    if (this.#closed) throw new Error("the encoder is closed");
    const { ptsUs, keyFrame, still = false, changed } = options;
    if (still !== this.#still) this.#setQuality(still);
    this.#convert(pixels, still ? undefined : changed);
    this.#hint(still || keyFrame ? undefined : changed);
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
    for (const scaler of Object.values(this.#scalers)) scaler.freeContext();
    this.#tail.free();
    this.#frame.free();
    this.#packet.free();
  }

  #setQuality(still: boolean): void {
    this.#still = still;
    // The codec's wrapper looks at this before each frame and reconfigures x264.
    this.#codec.setOption("crf", still ? STILL_QUALITY : MOVING_QUALITY, AV_OPT_TYPE_FLOAT, AV_OPT_SEARCH_CHILDREN);
  }

  #convert(pixels: Uint8Array, changed: readonly Area[] | undefined): void {
    const { sourceWidth, sourceHeight } = this.options;
    const row = sourceWidth * 4;
    const rows = this.#strip;
    const scaler = this.#scalers[this.#still ? "still" : "moving"];
    // x264 has copied the last picture.
    if (!this.#frame.isWritable) throw new Error("the encoder kept a frame's memory");
    const planes = this.#planes.frame;
    const { linesize } = this.#frame;
    for (let y = 0; y < sourceHeight; y += rows) {
      const isSame = changed?.every((area) => area.y >= y + rows || area.y + area.height <= y);
      if (isSame && !this.#isScaled) continue;
      const to = planes.map((plane, index) => plane.subarray(linesize[index]! * (index === 0 ? y : y / 2)));
      const strip = Buffer.from(pixels.buffer, pixels.byteOffset + y * row, rows * row);
      const [from, stride] = y + rows < sourceHeight ? [[strip], [row]] : this.#copyTail(strip, row);
      if (this.#isScaled) scaler.scaleSync(from, stride, y, rows, planes, linesize);
      else scaler.scaleSync(from, stride, 0, rows, to, linesize);
    }
  }

  /** swscale reads whole vectors, past the end of a plain array: the last rows are copied to memory with room behind them. */
  #copyTail(strip: Buffer, row: number): [planes: Buffer[], strides: number[]] {
    const planes = this.#planes.tail;
    const stride = this.#tail.linesize[0]!;
    for (let y = 0; y < this.#strip; y++) planes[0]!.set(strip.subarray(y * row, (y + 1) * row), y * stride);
    return [planes, this.#tail.linesize];
  }

  /**
   * Marks for x264 where something may have changed; without areas, anywhere. Blocks outside are copied unseen once their quality is as
   * wanted.
   */
  #hint(changed: readonly Area[] | undefined): void {
    this.#frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
    if (!changed || this.#isScaled) return;
    // The wrapper would write beyond its memory for what is outside.
    const rects = changed.flatMap(({ x, y, width, height }) => {
      const [left, top] = [Math.max(0, x - BLUR), Math.max(0, y - BLUR)];
      const across = Math.min(x + width + BLUR, this.options.width) - left;
      const down = Math.min(y + height + BLUR, this.options.height) - top;
      return across > 0 && down > 0 ? [[left, top, across, down]] : [];
    });
    const hint = this.#frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HINT_BYTES + rects.length * HINT_RECT_BYTES);
    hint.writeBigUInt64LE(BigInt(rects.length), 0);
    hint.writeBigUInt64LE(BigInt(HINT_BYTES), 8);
    hint.writeBigUInt64LE(BigInt(HINT_RECT_BYTES), 16);
    hint.writeUInt32LE(AV_VIDEO_HINT_TYPE_CHANGED, 24);
    for (const [at, side] of rects.flat().entries()) hint.writeUInt32LE(side, HINT_BYTES + at * 4);
  }
}

function planesOf(frame: Frame): Buffer[] {
  const planes = frame.data;
  if (!planes) throw new Error("a frame without memory");
  return planes;
}
