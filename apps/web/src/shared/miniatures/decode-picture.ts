/** Whether this browser can decode miniatures: pages that are neither served over TLS nor from localhost have no decoder. */
export const canDecode = (): boolean => typeof VideoDecoder === "function";

/** The sequence parameter set: its type, and where the three bytes are that name profile and level. */
const SPS = 7;
const hex = (byte: number) => byte.toString(16).padStart(2, "0");

/** The codec of an Annex B access unit, `avc1.42c01e`; undefined if it does not begin with its parameters. */
export function codecOf(unit: Uint8Array): string | undefined {
  const start = unit.findIndex((byte, at) => byte === 1 && unit[at - 1] === 0 && unit[at - 2] === 0);
  const [header = 0, ...profile] = unit.subarray(start + 1, start + 5);
  const isSps = start >= 2 && (header & 0x1f) === SPS && profile.length === 3;
  return isSps ? `avc1.${profile.map(hex).join("")}` : undefined;
}

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
