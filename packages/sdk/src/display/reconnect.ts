/** Why a connection is over: its token, or anything else between here and the device. */
export type Loss = "token" | "lost";

const RETRY_MS = 3_000;
/** After a picture that was lost: mostly its gateway restarts, which takes a second or two. */
const FIRST_RETRY_MS = 1_000;
/** How long an attempt may take until its first picture. */
export const PICTURE_DEADLINE_MS = 15_000;
/** How long WebRTC may take to connect, from when the device is ready, before the picture comes over the socket instead. */
export const WEBRTC_DEADLINE_MS = 4_000;

/** A token that wore out is replaced at once; all else waits, and so does a fresh token that is refused. */
export function waitAfter(loss: Loss, hadPicture: boolean): number {
  if (!hadPicture) return RETRY_MS;
  return loss === "token" ? 0 : FIRST_RETRY_MS;
}
