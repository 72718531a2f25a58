import { AV_PIX_FMT_RGBA, type Frame, SoftwareScaleContext, SWS_BICUBIC } from "node-av";
import { reserveFrame } from "@terrarium/video";

export interface Picture {
  width: number;
  height: number;
  /** RGBA. */
  pixels: Uint8Array;
}

function reserve(width: number, height: number): { frame: Frame; plane: Buffer; stride: number } {
  const frame = reserveFrame(width, height, AV_PIX_FMT_RGBA);
  return { frame, plane: frame.data![0]!, stride: frame.linesize[0]! };
}

/** A copy of the picture in another size. */
export function scalePicture({ width, height, pixels }: Picture, toWidth: number, toHeight: number): Picture {
  if (width === toWidth && height === toHeight) return { width, height, pixels: pixels.slice() };
  // Frames rather than arrays: swscale reads and writes whole vectors, past the last row.
  const [from, to] = [reserve(width, height), reserve(toWidth, toHeight)];
  const scaler = new SoftwareScaleContext();
  try {
    for (let y = 0; y < height; y++)
      from.plane.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * from.stride);
    scaler.getContext(width, height, AV_PIX_FMT_RGBA, toWidth, toHeight, AV_PIX_FMT_RGBA, SWS_BICUBIC);
    scaler.scaleSync([from.plane], [from.stride], 0, height, [to.plane], [to.stride]);
    const scaled = new Uint8Array(toWidth * toHeight * 4);
    for (let y = 0; y < toHeight; y++)
      scaled.set(to.plane.subarray(y * to.stride, y * to.stride + toWidth * 4), y * toWidth * 4);
    return { width: toWidth, height: toHeight, pixels: scaled };
  } finally {
    scaler.freeContext();
    from.frame.free();
    to.frame.free();
  }
}
