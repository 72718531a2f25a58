import { systemClock } from "@terrarium/clock";
import type { DisplaySession } from "@terrarium/sdk/display";
import { useEffect, useSyncExternalStore } from "react";
import { useDisplayStatus } from "../use-display-status.ts";
import { watchFrames } from "../watch-frames.ts";
import type { Differences, Found } from "./differences.ts";
import { SIDE } from "./regions.ts";

/** Has a screen compared, for as long as it is live and there is what compares. */
export function useDifferences(
  differences: Differences | undefined,
  session: DisplaySession,
  isFirst: boolean,
): Found | undefined {
  const phase = useDisplayStatus(session, "phase");
  useEffect(() => {
    const { video } = session;
    if (!differences || phase !== "live" || !video) return undefined;
    const off = new AbortController();
    const see = (frame: Uint8ClampedArray) =>
      differences.see(session, frame, { width: video.videoWidth, height: video.videoHeight });
    watchFrames(video, SIDE, see, systemClock, off.signal);
    return () => {
      off.abort();
      differences.forget(session);
    };
  }, [differences, session, phase]);
  useEffect(() => {
    if (isFirst) differences?.compareWith(session);
  }, [differences, session, isFirst]);
  return useSyncExternalStore(differences?.subscribe ?? never, () => differences?.of(session));
}

const never = () => () => undefined;
