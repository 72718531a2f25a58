/** Whether this browser decodes video itself: pages that are neither served over TLS nor from localhost have no decoder. */
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
