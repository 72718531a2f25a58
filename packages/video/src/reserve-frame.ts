import { type AVPixelFormat, FFmpegError, Frame } from "node-av";

/** A frame with memory for a picture, held outside the heap until `free`. */
export function reserveFrame(width: number, height: number, format: AVPixelFormat): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  frame.width = width;
  frame.height = height;
  FFmpegError.throwIfError(frame.getBuffer(), "reserve a frame");
  return frame;
}
