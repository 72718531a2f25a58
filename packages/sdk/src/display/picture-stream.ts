/** Decoded pictures as a stream for a `video` element. */
export interface PictureStream {
  stream: MediaStream;
  /** Shows a picture, and closes it. */
  show(frame: VideoFrame): void;
}

/** In Chromium, and in no standard: there a worker has it. */
interface Generator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type GeneratorClass = new (options: { kind: "video" }) => Generator;

export function pictureStream(): PictureStream {
  const { MediaStreamTrackGenerator } = globalThis as { MediaStreamTrackGenerator?: GeneratorClass };
  return MediaStreamTrackGenerator ? generated(new MediaStreamTrackGenerator({ kind: "video" })) : painted();
}

/** Shows each picture as it is and at once: a canvas copies it, and waits for the page's next frame. */
function generated(track: Generator): PictureStream {
  const writer = track.writable.getWriter();
  return {
    stream: new MediaStream([track]),
    // What is written is closed; a track that was stopped takes nothing.
    show: (frame) => void writer.write(frame).catch(() => frame.close()),
  };
}

/** Works in each browser. */
function painted(): PictureStream {
  const canvas = document.createElement("canvas");
  return {
    stream: canvas.captureStream(),
    show(frame) {
      const { displayWidth: width, displayHeight: height } = frame;
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      canvas.getContext("2d", { alpha: false })?.drawImage(frame, 0, 0);
      frame.close();
    },
  };
}
