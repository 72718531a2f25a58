import type { DisplaySession, DisplayStatus } from "@terrarium/sdk/display";
import { useSyncExternalStore } from "react";

/** One field of a session's status; what shows another field is not drawn again. */
export function useDisplayStatus<Field extends keyof DisplayStatus>(
  session: Pick<DisplaySession, "subscribe" | "status">,
  field: Field,
): DisplayStatus[Field] {
  return useSyncExternalStore(session.subscribe, () => session.status[field]);
}
