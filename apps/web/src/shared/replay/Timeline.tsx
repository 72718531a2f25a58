import { Box, Slider } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import Pointer from "lucide-react/icons/pointer";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Glyph, Icon } from "../../components/Icon.tsx";
import { sayTime } from "./say-time.ts";
import type { Step } from "./steps.ts";

interface Props {
  steps: readonly Step[];
  time: number;
  durationMs: number;
  onSeek: (time: number) => void;
}

/** More marks than this beside each other cannot be distinguished. */
const PLACES = 240;

const lanes: { kind: Step["kind"]; glyph: Glyph }[] = [
  { kind: "done", glyph: Pointer },
  { kind: "log", glyph: TriangleAlert },
  { kind: "changed", glyph: ArrowLeftRight },
];

const isMarked = ({ kind, level }: Step): boolean => kind !== "log" || level === "E" || level === "F";

/** Where in the time one is, and where something happened. */
export function Timeline({ steps, time, durationMs, onSeek }: Props) {
  const { t } = useTranslation();
  const marks = useMemo(
    () =>
      lanes.map(({ kind }) => {
        const at = steps.filter((step) => step.kind === kind && isMarked(step)).map((step) => step.at);
        return [...new Set(at.map((each) => Math.round((each / durationMs) * PLACES)))];
      }),
    [steps, durationMs],
  );
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: { xs: "24px 1fr", sm: "144px 1fr" }, alignItems: "center" }}>
      <Box component="span" />
      <Slider
        size="small"
        aria-label={t("replay.position")}
        min={0}
        max={durationMs}
        step={10}
        value={time}
        getAriaValueText={(at) => t("replay.positionOf", { at: sayTime(at), duration: sayTime(durationMs) })}
        onChange={(_, to) => onSeek(to)}
        sx={{ display: "block", mx: 0 }}
      />
      {lanes.map(({ kind, glyph }, lane) => (
        <Box key={kind} sx={{ display: "contents" }}>
          <Box sx={label}>
            <Icon glyph={glyph} size={14} />
            <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
              {t(`replay.lanes.${kind}`)}
            </Box>
          </Box>
          <Box sx={track} data-kind={kind} aria-hidden>
            {marks[lane]?.map((place) => (
              <span key={place} style={{ left: `${(place / PLACES) * 100}%` }} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const label = { display: "flex", alignItems: "center", gap: "6px", color: "text.secondary", typography: "caption" };

const track = (theme: Theme) => ({
  position: "relative",
  height: 20,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.primary.main,
  "&[data-kind=log]": { color: theme.vars.palette.error.main },
  "&[data-kind=changed]": { color: theme.vars.palette.text.secondary },
  "& span": {
    position: "absolute",
    top: 4,
    width: 3,
    height: 12,
    marginLeft: "-1.5px",
    borderRadius: "1.5px",
    background: "currentColor",
    forcedColorAdjust: "none",
  },
});
