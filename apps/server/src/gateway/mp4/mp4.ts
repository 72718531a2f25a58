import { nalUnitsOf, type Parameters, parametersIn } from "../display/annex-b.ts";
import type { VideoSize } from "../display/display-source.ts";
import { movieBox, type Track } from "./movie-box.ts";
import { box, u32 } from "./boxes.ts";

/** Pictures are written together until they are as large as this: each such piece costs a row of the index. */
const PIECE_BYTES = 128 * 1024;

/** The size is that of the first picture. */
export interface Mp4Deps extends VideoSize {
  /** Gets the file's bytes in their order, none of which changes later. Must not block the process. */
  write(bytes: Uint8Array): void;
}

export interface Mp4Packet {
  /** An H.264 access unit in Annex B. A key frame begins with its parameter sets. */
  data: Uint8Array;
  /** When it is shown, in ms on any clock; never before the packet before it. Where it is, it is taken as shown with that. */
  atMs: number;
  isKey: boolean;
}

/** An MP4 file that is being written. */
export interface Mp4 {
  /** Written so far, and what is held to be written. */
  readonly bytes: number;
  readonly pictures: number;
  /** From the first picture to the latest one, in ms. */
  readonly durationMs: number;
  /** Adds a picture. Those before the first key frame are left out, as nothing could show them. */
  add(packet: Mp4Packet): void;
  /** Writes what is missing. The last picture is shown until `atMs`. Without any picture there is nothing to play in the file. */
  end(atMs: number): void;
}

/**
 * Puts packets of video into an MP4 file as they are. It is written from its beginning to its end, with the index last, so that it can go to
 * where nothing can be changed any more; only the index's numbers are held in memory. When the picture's size changes, the parameter sets in
 * the stream say so: players show what follows in its own size.
 */
export function createMp4({ width, height, write }: Mp4Deps): Mp4 {
  const track: Track = { width, height, parameters: undefined, isChanging: false, samples: [], pieces: [], lastMs: 0 };
  let written = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const put = (bytes: Uint8Array): void => {
    written += bytes.length;
    write(bytes);
  };
  const flush = (): void => {
    if (held.length === 0) return;
    track.pieces.push({ at: written + 8, samples: held.length });
    put(box("mdat", ...held));
    held = [];
    heldBytes = 0;
  };
  const describe = (units: readonly Buffer[]): void => {
    const found = parametersIn(units);
    if (!found) return;
    const { sps, pps } = (track.parameters ??= copyOf(found));
    track.isChanging ||= !sps.equals(found.sps) || !pps.equals(found.pps);
  };

  put(box("ftyp", Buffer.from("isom"), u32(0x200), Buffer.from("isomiso2avc1mp41")));
  return {
    get bytes() {
      return written + heldBytes;
    },
    get pictures() {
      return track.samples.length;
    },
    get durationMs() {
      return track.lastMs - (track.samples[0]?.atMs ?? track.lastMs);
    },
    add({ data, atMs, isKey }) {
      const units = nalUnitsOf(data);
      if (isKey) describe(units);
      if (units.length === 0 || !track.parameters) return;
      const bytes = Buffer.concat(units.flatMap((unit) => [u32(unit.length), unit]));
      track.lastMs = Math.max(atMs, track.samples.at(-1)?.atMs ?? atMs);
      track.samples.push({ bytes: bytes.length, atMs: track.lastMs, isKey });
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= PIECE_BYTES) flush();
    },
    end(atMs) {
      flush();
      track.lastMs = Math.max(atMs, track.lastMs);
      put(movieBox(track));
    },
  };
}

/** They are parts of a packet, which would stay in memory with them. */
const copyOf = ({ sps, pps }: Parameters): Parameters => ({ sps: Buffer.from(sps), pps: Buffer.from(pps) });
