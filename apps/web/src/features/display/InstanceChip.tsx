import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type DisplayedState, displayedStates, type InstanceState } from "@terrarium/contract";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ChevronsUp from "lucide-react/icons/chevrons-up";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleOff from "lucide-react/icons/circle-off";
import CircleStop from "lucide-react/icons/circle-stop";
import ClockAlert from "lucide-react/icons/clock-alert";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Recycle from "lucide-react/icons/recycle";
import ShieldAlert from "lucide-react/icons/shield-alert";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { type Glyph, Icon } from "../../components/Icon.tsx";

interface Look {
  glyph: Glyph;
  tone: "success" | "info" | "saving" | "error" | "neutral" | "faint";
  spins?: boolean;
}

const looks = {
  creating: { glyph: CircleDashed, tone: "info", spins: true },
  starting: { glyph: ChevronsUp, tone: "info" },
  booting: { glyph: LoaderCircle, tone: "info", spins: true },
  online: { glyph: CircleCheck, tone: "success" },
  saving: { glyph: ArrowDownToLine, tone: "saving" },
  stopping: { glyph: CircleStop, tone: "neutral" },
  offline: { glyph: CircleOff, tone: "faint" },
  recycled: { glyph: Recycle, tone: "faint" },
  error: { glyph: TriangleAlert, tone: "error" },
  revoked: { glyph: ShieldAlert, tone: "error" },
  expired: { glyph: ClockAlert, tone: "faint" },
} as const satisfies Record<DisplayedState, Look>;

/** A device's state: icon and word first, fill or outline second, colour last. */
export function InstanceChip({ state }: { state: InstanceState }) {
  const { t } = useTranslation();
  const word = displayedStates[state];
  const { glyph, tone, spins }: Look = looks[word];
  return (
    <Box component="span" sx={(theme: Theme) => ({ ...chip(theme), ...toneOf(theme, tone) })}>
      <Icon glyph={glyph} size={14} spins={spins ?? false} />
      {t(`display.state.${word}`)}
    </Box>
  );
}

const chip = (theme: Theme) => ({
  ...theme.typography.chip,
  display: "inline-flex",
  alignItems: "center",
  gap: "4px",
  flex: "none",
  height: 24,
  padding: "0 8px 0 6px",
  borderRadius: "6px",
  transition: "color 180ms, background 180ms",
});

function toneOf({ vars, palette }: Theme, tone: Look["tone"]) {
  const colors = (vars ?? { palette }).palette;
  if (tone === "faint") return { color: colors.text.tertiary, boxShadow: `inset 0 0 0 1px ${colors.divider}` };
  const { main, soft } = colors[tone];
  return tone === "neutral" ? { color: main, boxShadow: `inset 0 0 0 1px ${main}` } : { color: main, background: soft };
}
