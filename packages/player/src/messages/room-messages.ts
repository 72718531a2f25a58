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

/** To who has asked for control. */
export function declinedMessage(): string {
  return event("ROOM", { what: "declined" });
}
