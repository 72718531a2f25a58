import { codecOf } from "@terrarium/sdk/display";

let decoder: { video: VideoDecoder; codec: string } | undefined;
let frame: VideoFrame | undefined;
let decoded = 0;

function decoderFor(codec: string): VideoDecoder {
  if (decoder?.codec === codec && decoder.video.state === "configured") return decoder.video;
  if (decoder && decoder.video.state !== "closed") decoder.video.close();
  const video = new VideoDecoder({
    output: (next) => {
      frame?.close();
      frame = next;
    },
    // What is being decoded rejects as well.
    error: () => undefined,
  });
  video.configure({ codec, optimizeForLatency: true });
  decoder = { video, codec };
  return video;
}

async function decode(unit: Uint8Array): Promise<ImageBitmap> {
  const codec = codecOf(unit);
  if (!codec) throw new Error("the picture does not begin with its parameters");
  const video = decoderFor(codec);
  video.decode(new EncodedVideoChunk({ type: "key", timestamp: decoded++, data: unit }));
  await video.flush();
  const shown = frame;
  frame = undefined;
  if (!shown) throw new Error("the picture was not decoded");
  try {
    return await createImageBitmap(shown);
  } finally {
    shown.close();
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Decodes one H.264 key frame. Pictures of all devices take turns with one decoder, which is milliseconds for each. */
export function decodePicture(unit: Uint8Array): Promise<ImageBitmap> {
  const next = last.then(() => decode(unit));
  last = next.catch(() => undefined);
  return next;
}
