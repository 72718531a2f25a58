import type { Place } from "../events/room.ts";
import { event } from "./state-messages.ts";

/** Where somebody's pointer is, on one of their pages; without a place it is gone. */
export function pointerMessage(viewer: number, user: string, at: Place | undefined): string {
  return event("ROOM", { what: "pointer", viewer, user, ...at });
}

/** Everybody who asks for control. */
export function handsMessage(users: Iterable<string>): string {
  return event("ROOM", { what: "hands", users: [...users] });
}

/** Why a recording has ended: it was asked to, or by itself. */
export type RecordingEnd = "asked" | "limit" | "full" | "left" | "over" | "failed";

/** That what is seen is being recorded, and for how long already; without that, that it is not. */
export function recordingMessage(ms: number | undefined): string {
  return event("ROOM", { what: "recording", ms });
}

export function recordedMessage(why: RecordingEnd, isKept: boolean): string {
  return event("ROOM", { what: "recorded", why, isKept });
}

/** To who has asked for control. */
export function declinedMessage(): string {
  return event("ROOM", { what: "declined" });
}
