import { useSyncExternalStore } from "react";
import type { DisplaySession } from "./display-session.ts";
import type { DisplayStatus } from "./display-status.ts";

/** One field of a session's status; what shows another field is not drawn again. */
export function useDisplayStatus<Field extends keyof DisplayStatus>(
  session: Pick<DisplaySession, "subscribe" | "status">,
  field: Field,
): DisplayStatus[Field] {
  return useSyncExternalStore(session.subscribe, () => session.status[field]);
}
