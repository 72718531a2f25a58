/** A media line of an offer that we accept. */
export interface OfferedMedia {
  mid: string;
  /** The browser's number for the codec we send. */
  payloadType: number;
}

export interface OfferedVideo extends OfferedMedia {
  /** `profile-level-id=...;packetization-mode=1;...` as the browser wrote it. */
  format: string;
  /** The id of the header extension that asks for pictures to be shown without delay. */
  playoutDelayId: number | undefined;
}

export interface Offer {
  audio: OfferedMedia | undefined;
  video: OfferedVideo | undefined;
}

const PLAYOUT_DELAY = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay";

/** Constrained baseline first, then baseline: every browser decodes them, and encoders produce them without delay. */
const preferredProfiles = ["42e0", "4200"];

/** Reads what we need from a browser's offer (RFC 8866, RFC 6184). Media that offer none of our codecs are undefined. */
export function parseOffer(sdp: string): Offer {
  const offer: Offer = { audio: undefined, video: undefined };
  for (const section of sdp.split(/\r?\n(?=m=)/).slice(1)) {
    const lines = section.split(/\r?\n/);
    const mid = valueOf(lines, "a=mid:");
    if (mid === undefined) continue;
    if (section.startsWith("m=video ")) offer.video ??= parseVideo(lines, mid);
    if (section.startsWith("m=audio ")) offer.audio ??= parseAudio(lines, mid);
  }
  return offer;
}

function parseVideo(lines: string[], mid: string): OfferedVideo | undefined {
  const formats = payloadTypes(lines, "H264/90000")
    .map((payloadType) => ({ payloadType, format: valueOf(lines, `a=fmtp:${payloadType} `) ?? "" }))
    .filter(({ format }) => format.includes("packetization-mode=1"));
  const best =
    preferredProfiles
      .map((profile) => formats.find(({ format }) => format.includes(`profile-level-id=${profile}`)))
      .find(Boolean) ?? formats[0];
  return best && { mid, ...best, playoutDelayId: extensionId(lines, PLAYOUT_DELAY) };
}

function parseAudio(lines: string[], mid: string): OfferedMedia | undefined {
  const payloadType = payloadTypes(lines, "opus/48000/2")[0];
  return payloadType === undefined ? undefined : { mid, payloadType };
}

function payloadTypes(lines: string[], codec: string): number[] {
  return lines.flatMap((line) => {
    const [, number, name] = /^a=rtpmap:(\d{1,3}) (\S+)$/.exec(line) ?? [];
    return name?.toLowerCase() === codec.toLowerCase() ? [Number(number)] : [];
  });
}

function extensionId(lines: string[], uri: string): number | undefined {
  for (const line of lines) {
    const [, id, itsUri] = /^a=extmap:(\d{1,3})(?:\/\w+)? (\S+)/.exec(line) ?? [];
    if (itsUri === uri) return Number(id);
  }
  return undefined;
}

function valueOf(lines: string[], prefix: string): string | undefined {
  return lines.find((line) => line.startsWith(prefix))?.slice(prefix.length);
}

/** The SDP attribute that accepts the extension in our answer. */
export function playoutDelayLine(id: number): string {
  return `a=extmap:${id} ${PLAYOUT_DELAY}`;
}
