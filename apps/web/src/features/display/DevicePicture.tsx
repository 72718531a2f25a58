import { Box } from "@mui/material";
import { keyMessages, type DisplaySession } from "@terrarium/sdk/display";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDisplayStatus } from "./use-display-status.ts";
import { useFocusByKey } from "./use-focus-by-key.ts";

interface Props {
  session: DisplaySession;
  name: string;
  /** Nothing that is done here reaches the device. */
  isViewOnly: boolean;
  /** Where the pointer is, as parts of the picture's size. */
  onPoint?: ((to: { x: number; y: number } | "gone") => void) | undefined;
  /** F6 on the picture: the one key that does not go to the device. */
  onLeave: () => void;
}

/** The live picture. React draws its box; the session draws what is in it. */
export function DevicePicture({ session, name, isViewOnly, onPoint, onLeave }: Props) {
  const { t } = useTranslation();
  const container = useRef<HTMLDivElement>(null);
  const phase = useDisplayStatus(session, "phase");
  const wasByKey = useFocusByKey();
  const [isRinged, setRinged] = useState(false);
  useEffect(() => {
    if (container.current) session.start(container.current);
    return () => session.stop();
  }, [session]);
  return (
    <Box
      ref={container}
      component="section"
      aria-label={t(isViewOnly ? "display.picture.watched" : "display.picture.label", { name })}
      sx={picture}
      style={{ opacity: phase === "reconnecting" ? 0.4 : 1 }}
      {...(isRinged && { "data-keyboard-focus": "" })}
      onFocus={() => setRinged(wasByKey())}
      onBlur={() => setRinged(false)}
      onPointerDown={() => setRinged(false)}
      onPointerMove={(event) => {
        const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
        const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
        // A pressed one is followed beyond the edge.
        onPoint?.(x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : "gone");
      }}
      onPointerLeave={() => onPoint?.("gone")}
      onKeyDown={(event) => {
        // The player stops the keys that it sends itself; these are the others.
        event.stopPropagation();
        if (event.key === "F6") {
          event.preventDefault();
          onLeave();
          return;
        }
        const messages = keyMessages(event.nativeEvent);
        if (messages) event.preventDefault();
        for (const message of messages ?? []) session.send(message);
      }}
    />
  );
}

const picture = {
  position: "absolute",
  inset: 0,
  touchAction: "none",
  userSelect: "none",
  transition: "opacity 180ms",
  "& > div, & > div > div, & .gm-wrapper, & .gm-video-wrapper, & video, & canvas": {
    display: "block",
    width: "100%",
    height: "100%",
  },
  // The ring is drawn around the whole device.
  "& :focus-visible": { outline: "none" },
  // The player's own notes would cover the picture.
  "& .gm-click-to-unmute, & .gm-video-overlay": { display: "none" },
};
