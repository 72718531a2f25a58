import "../../en/replay.ts";
import { Box, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { ReplayStory } from "@terrarium/contract";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ToolButton } from "../../components/ToolButton.tsx";
import { sayTime } from "./say-time.ts";
import { Steps } from "./Steps.tsx";
import { stepsOf } from "./steps.ts";
import { strokesOf } from "./strokes.ts";
import { Timeline } from "./Timeline.tsx";
import { Touches } from "./Touches.tsx";
import { usePlayback } from "./use-playback.ts";

interface Props {
  /** Of the device. */
  name: string;
  video: Blob;
  story: ReplayStory;
  /** What can be done with it. */
  children?: React.ReactNode;
}

const STEP_MS = 1_000;
const LARGE_STEP_MS = 5_000;

/** What happened on a device, one replay for as long as it is shown: its picture with the touches on it, a track of the time, and what happened line by line. */
export function ReplayPlayer({ name, video, story, children }: Props) {
  const { t } = useTranslation();
  const { duration_ms: duration, events } = story;
  const [strokes] = useState(() => strokesOf(events));
  const [steps] = useState(() => stepsOf(events, t));
  const { time, isPlaying, size, seek, toggle, attributes } = usePlayback(video, duration);
  const [isUnplayable, setUnplayable] = useState(false);
  const current = steps.findLastIndex(({ at }) => at <= time);

  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Its keys act from the start, unless somebody is elsewhere on the page.
    if (document.activeElement?.contains(part.current)) part.current?.querySelector("input")?.focus();
  }, []);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = (event.target as HTMLElement).closest("button") !== null;
    const step = event.shiftKey ? LARGE_STEP_MS : STEP_MS;
    if (event.key === "ArrowLeft" && !isButton) seek(time - step);
    else if (event.key === "ArrowRight" && !isButton) seek(time + step);
    else if (event.key === " " && !isButton) toggle();
    else return;
    // The track knows arrows too, and would go by another step.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Box ref={part} sx={layout} onKeyDownCapture={onKeyDown}>
      <Box sx={stage}>
        {isUnplayable ? (
          <Typography sx={{ placeSelf: "center", p: 4, textAlign: "center" }}>{t("replay.unplayable")}</Typography>
        ) : (
          <>
            <Box
              component="video"
              muted
              playsInline
              preload="auto"
              aria-label={t("replay.video", { name, time: sayTime(time) })}
              onClick={toggle}
              onError={() => setUnplayable(true)}
              sx={picture}
              {...attributes}
            />
            <Touches strokes={strokes} time={time} size={size} />
          </>
        )}
      </Box>
      <Box sx={{ gridArea: "list", display: "flex", minWidth: 0, minHeight: 0 }}>
        <Steps steps={steps} current={current} onSeek={seek} />
      </Box>
      <Box sx={controls}>
        <Timeline steps={steps} time={time} durationMs={duration} onSeek={seek} />
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px" }}>
          <ToolButton
            label={t(isPlaying ? "replay.pause" : "replay.play")}
            glyph={isPlaying ? Pause : Play}
            glyphSize={18}
            onClick={toggle}
          />
          <Typography variant="mono" component="span" sx={{ minWidth: 108 }}>
            {sayTime(time)} / {sayTime(duration)}
          </Typography>
          <Typography variant="caption" sx={{ flex: 1, color: "text.secondary", display: { xs: "none", md: "block" } }}>
            {t("replay.keys")}
          </Typography>
          {children}
        </Box>
      </Box>
    </Box>
  );
}

const layout = (theme: Theme) => ({
  flex: 1,
  minHeight: 0,
  display: "grid",
  gridTemplate: `"stage list" minmax(0, 1fr) "controls controls" auto / minmax(0, 1fr) clamp(320px, 40%, 520px)`,
  [theme.breakpoints.down("md")]: {
    gridTemplate: `"stage" minmax(0, 5fr) "controls" auto "list" minmax(120px, 4fr) / minmax(0, 1fr)`,
  },
});

const stage = (theme: Theme) => ({
  gridArea: "stage",
  position: "relative",
  display: "grid",
  margin: "8px 16px",
  minWidth: 0,
  minHeight: 0,
  [theme.breakpoints.down("md")]: { margin: "0 8px" },
});

const picture = { position: "absolute", inset: 0, width: "100%", height: "100%", objectFit: "contain" };

const controls = (theme: Theme) => ({
  gridArea: "controls",
  display: "grid",
  gap: "8px",
  padding: "8px 24px 12px",
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down("md")]: { padding: "4px 16px 8px" },
});
