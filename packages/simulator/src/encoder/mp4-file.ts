import { closeSync, openSync, readSync, rmSync } from "node:fs";
import {
  AV_CODEC_ID_H264,
  AV_PKT_FLAG_KEY,
  AVMEDIA_TYPE_VIDEO,
  FFmpegError,
  FormatContext,
  Packet,
  Rational,
  type Stream,
} from "node-av";

interface Picture {
  data: Uint8Array;
  ptsUs: bigint;
  keyFrame: boolean;
}

const READ_BYTES = 64 * 1024;

/** An MP4 file with one H.264 track, on the host's disk until `remove`. Its muxer holds memory until `finish`. */
export class Mp4File {
  readonly #path: string;
  readonly #format = new FormatContext();
  readonly #stream: Stream;
  readonly #startUs: bigint;
  /** The last picture is written once it is known how long it is shown. */
  #held: Picture | undefined;
  #finished = false;

  /** `config` is SPS and PPS in Annex B; times count from `startUs`. */
  constructor(path: string, track: { width: number; height: number; config: Uint8Array; startUs: bigint }) {
    this.#path = path;
    this.#startUs = track.startUs;
    FFmpegError.throwIfError(this.#format.allocOutputContext2(null, "mp4", path), "open the MP4 muxer");
    this.#stream = this.#format.newStream(null);
    this.#stream.timeBase = new Rational(1, 1_000_000);
    const { codecpar } = this.#stream;
    codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    codecpar.codecId = AV_CODEC_ID_H264;
    codecpar.width = track.width;
    codecpar.height = track.height;
    codecpar.extradata = Buffer.from(track.config);
    FFmpegError.throwIfError(this.#format.openOutputSync(), "create the MP4 file");
    FFmpegError.throwIfError(this.#format.writeHeaderSync(), "write the MP4 header");
  }

  add(picture: Picture): void {
    if (this.#held) this.#write(this.#held, picture.ptsUs);
    this.#held = picture;
  }

  /** Writes what is missing. The last picture is shown until `endUs`. */
  finish(endUs: bigint): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#held) this.#write(this.#held, endUs);
    FFmpegError.throwIfError(this.#format.writeTrailerSync(), "write the MP4 index");
    this.#format.closeOutputSync();
    this.#format.freeContext();
  }

  /** The bytes of the finished file. */
  *bytes(): Generator<Uint8Array> {
    const file = openSync(this.#path, "r");
    try {
      const chunk = Buffer.alloc(READ_BYTES);
      for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) yield chunk.subarray(0, read);
    } finally {
      closeSync(file);
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #write({ data, ptsUs, keyFrame }: Picture, untilUs: bigint): void {
    const packet = new Packet();
    packet.alloc();
    packet.data = Buffer.from(data);
    packet.streamIndex = this.#stream.index;
    packet.pts = packet.dts = ptsUs - this.#startUs;
    packet.duration = untilUs > ptsUs ? untilUs - ptsUs : 1n;
    packet.flags = keyFrame ? AV_PKT_FLAG_KEY : (0 as typeof packet.flags);
    packet.rescaleTs(new Rational(1, 1_000_000), this.#stream.timeBase);
    try {
      FFmpegError.throwIfError(this.#format.interleavedWriteFrameSync(packet), "write a picture to the MP4 file");
    } finally {
      packet.free();
    }
  }
}
