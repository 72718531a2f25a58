import type { VideoSize } from "../display/display-source.ts";
import type { Parameters } from "../display/annex-b.ts";
import { box, fullBox, runsOf, table, u16, u32 } from "./boxes.ts";

export interface Sample {
  bytes: number;
  atMs: number;
  isKey: boolean;
}

/** What an MP4's index says about its only track. */
export interface Track extends VideoSize {
  /** The first ones; undefined while there is no picture. */
  parameters: Parameters | undefined;
  /** Later pictures have others, which are in the stream. */
  isChanging: boolean;
  samples: Sample[];
  /** Where in the file samples follow each other. */
  pieces: { at: number; samples: number }[];
  /** Until when the last sample is shown. */
  lastMs: number;
}

/** Units a second of all times in the file: a picture's place is off by a hundredth of a millisecond at most. */
const TIME_SCALE = 90_000;

/** Neither turned nor moved: 1 in the formats that the matrix has. */
const AS_IT_IS = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const UNDETERMINED_LANGUAGE = 0x55c4;
/** What each picture has of red, green and blue, and that it is opaque: 24 bits without a colour table. */
const DEPTH = u16(24, 0xffff);
const DPI_72 = 0x480000;

/** Profiles whose record also says how colours are stored. */
const HIGH_PROFILES = new Set([100, 110, 122, 144]);
/** 4:2:0 with 8 bits, which is what devices encode, and no further parameter sets. */
const COMMON_COLOURS = Buffer.from([0xfc | 1, 0xf8, 0xf8, 0]);

/** The index of an MP4 with one track of H.264. */
export function movieBox(track: Track): Buffer {
  const startMs = track.samples[0]?.atMs ?? 0;
  const timeOf = (atMs: number) => Math.round(((atMs - startMs) * TIME_SCALE) / 1000);
  const duration = track.samples.length > 0 ? timeOf(track.lastMs) : 0;
  const until = (index: number) => timeOf(track.samples[index + 1]?.atMs ?? track.lastMs);
  const durations = track.samples.map(({ atMs }, index) => until(index) - timeOf(atMs));
  const keys = track.samples.flatMap(({ isKey }, index) => (isKey ? [[index + 1]] : []));
  const pieces = track.pieces
    .map(({ samples }, index) => [index + 1, samples, 1])
    .filter(([first = 1, samples]) => track.pieces[first - 2]?.samples !== samples);

  const samples = box(
    "stbl",
    fullBox("stsd", 0, u32(track.parameters ? 1 : 0), sampleEntry(track)),
    fullBox("stts", 0, table(runsOf(durations))),
    fullBox("stss", 0, table(keys)),
    fullBox("stsc", 0, table(pieces)),
    fullBox("stsz", 0, u32(0), table(track.samples.map(({ bytes }) => [bytes]))),
    fullBox("stco", 0, table(track.pieces.map(({ at }) => [at]))),
  );
  const media = box(
    "mdia",
    fullBox("mdhd", 0, u32(0, 0, TIME_SCALE, duration), u16(UNDETERMINED_LANGUAGE, 0)),
    fullBox("hdlr", 0, u32(0), Buffer.from("vide"), u32(0, 0, 0), Buffer.from("Screen\0")),
    box(
      "minf",
      fullBox("vmhd", 1, u32(0, 0)),
      // The bytes are in this file.
      box("dinf", fullBox("dref", 0, u32(1), fullBox("url ", 1))),
      samples,
    ),
  );
  const side = (pixels: number) => pixels * 0x10000;
  return box(
    "moov",
    fullBox("mvhd", 0, u32(0, 0, TIME_SCALE, duration, 0x10000, 0x1000000, 0, 0), AS_IT_IS, u32(0, 0, 0, 0, 0, 0, 2)),
    box(
      "trak",
      // Enabled, and in the movie.
      fullBox("tkhd", 3, u32(0, 0, 1, 0, duration, 0, 0, 0, 0), AS_IT_IS, u32(side(track.width), side(track.height))),
      media,
    ),
  );
}

/** The one description of all pictures: with several, players take the size of one for that of all. */
function sampleEntry({ parameters, isChanging, width, height }: Track): Buffer {
  if (!parameters) return Buffer.alloc(0);
  const { sps, pps } = parameters;
  const [, profile = 0, compatibility = 0, level = 0] = sps;
  const record = box(
    "avcC",
    // Lengths take four bytes; one parameter set of each kind.
    Buffer.from([1, profile, compatibility, level, 0xff, 0xe1]),
    u16(sps.length),
    sps,
    Buffer.from([1]),
    u16(pps.length),
    pps,
    ...(HIGH_PROFILES.has(profile) ? [COMMON_COLOURS] : []),
  );
  return box(
    // The latter says that parameter sets are in the stream as well.
    isChanging ? "avc3" : "avc1",
    u32(0),
    u16(0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(DPI_72, DPI_72, 0),
    u16(1),
    Buffer.alloc(32),
    DEPTH,
    record,
  );
}
