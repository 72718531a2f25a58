import { AV_PIX_FMT_RGBA, type Frame } from "node-av";
import { reserveFrame } from "./reserve-frame.ts";

/** The place where pictures of one size wait to be converted. What is in it belongs to whoever wrote last. */
export interface SharedSource {
  readonly frame: Frame;
  /** To be called once; the frame must not be used after it. */
  release(): void;
}

/** By size. An encoder needs its place for a few milliseconds that nobody else runs in, so all of a size have one: it is 10 MB. */
const sources = new Map<string, { frame: Frame; users: number }>();

export function takeSource(width: number, height: number): SharedSource {
  const key = `${width}x${height}`;
  const source = sources.get(key) ?? { frame: reserveFrame(width, height, AV_PIX_FMT_RGBA), users: 0 };
  source.users++;
  sources.set(key, source);
  return {
    frame: source.frame,
    release() {
      source.users--;
      if (source.users > 0) return;
      sources.delete(key);
      source.frame.free();
    },
  };
}
