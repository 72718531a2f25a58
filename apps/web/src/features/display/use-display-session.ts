import { useQueryClient } from "@tanstack/react-query";
import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import { DisplaySession, type Detour, type OpenPlayer } from "@terrarium/sdk/display";
import { useEffect, useState } from "react";
import { displayAccess } from "../../shared/access-token.ts";
import { latestPicture } from "../../shared/miniatures/latest-pictures.ts";
import { instanceQuery } from "./display.queries.ts";
import { gadgetReaders } from "./gadgets/gadget-list.ts";
import { useDisplayStatus } from "./use-display-status.ts";

interface Ways {
  /** Has the picture come over the socket, without trying WebRTC. */
  detour?: Detour | undefined;
  /** Hears what is sent to the device. */
  onSent?: (session: DisplaySession, message: object) => void;
}

/** The connection to a device that is online, for as long as what shows it. */
export function useDisplaySession(
  { uuid, webrtc_url: webrtcUrl }: Pick<Instance, "uuid" | "webrtc_url">,
  openPlayer: OpenPlayer,
  { detour, onSent }: Ways = {},
): DisplaySession {
  const queries = useQueryClient();
  const [session] = useState(() => {
    const opened: DisplaySession = new DisplaySession({
      webrtcUrl,
      poster: () => latestPicture(uuid),
      access: (signal) => displayAccess(uuid, signal),
      openPlayer,
      detour,
      gadgets: gadgetReaders,
      clock: systemClock,
      onSent: (message) => onSent?.(opened, message),
    });
    return opened;
  });
  const phase = useDisplayStatus(session, "phase");
  // The service knows why there is nothing to come back to; the page then says it.
  useEffect(() => {
    if (phase === "ended") void queries.invalidateQueries({ queryKey: instanceQuery(uuid).queryKey });
  }, [phase, queries, uuid]);
  return session;
}
