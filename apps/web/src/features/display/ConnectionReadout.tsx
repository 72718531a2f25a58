import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { DisplaySession, PictureSize, StreamPath } from "@terrarium/sdk/display";
import Cable from "lucide-react/icons/cable";
import Gauge from "lucide-react/icons/gauge";
import Unplug from "lucide-react/icons/unplug";
import Waypoints from "lucide-react/icons/waypoints";
import Zap from "lucide-react/icons/zap";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../../components/hidden.ts";
import { type Glyph, Icon } from "../../components/Icon.tsx";
import { useDisplayStatus } from "./use-display-status.ts";

type ShownPath = StreamPath | "socket" | "slowSocket";

const glyphs: Record<ShownPath, Glyph> = {
  direct: Zap,
  relayed: Waypoints,
  slow: Gauge,
  lost: Unplug,
  socket: Cable,
  slowSocket: Gauge,
};

interface Props {
  session: Pick<DisplaySession, "subscribe" | "status">;
  /** The device's own size in pixels, as it is held upright; its stream may be smaller. */
  device: PictureSize;
}

/** How the picture gets here, on the sill, or when the next attempt is. Figures do not move as they change. */
export function ConnectionReadout({ session, device }: Props) {
  const { t } = useTranslation();
  const phase = useDisplayStatus(session, "phase");
  const readout = useDisplayStatus(session, "readout");
  const picture = useDisplayStatus(session, "picture");
  const seconds = useDisplayStatus(session, "retryInSeconds");
  const detour = useDisplayStatus(session, "detour");
  const isOverSocket = phase === "live" && detour !== undefined && detour !== "undecodable";
  const socketPath = readout?.path === "slow" ? "slowSocket" : "socket";
  const path: ShownPath | undefined = phase === "reconnecting" ? "lost" : isOverSocket ? socketPath : readout?.path;
  return (
    <Box component="section" aria-label={t("display.readout.label")} sx={line}>
      <Box component="output" sx={visuallyHidden}>
        {phase === "live" && t("display.readout.connected")}
        {phase === "reconnecting" && t("display.readout.lost")}
      </Box>
      {path && (
        <Box component="span" className="path" data-path={path}>
          <Icon glyph={glyphs[path]} size={14} />
          <b>{t(`display.path.${path}`)}</b>
        </Box>
      )}
      {phase === "reconnecting" && (
        <span>{seconds ? t("display.readout.retryIn", { seconds }) : t("display.readout.retrying")}</span>
      )}
      {isOverSocket && <span className="why">{t(`display.detour.${detour}`)}</span>}
      {phase === "connecting" && (
        <span>{t(detour === "undecodable" ? "display.detour.undecodable" : "display.readout.connecting")}</span>
      )}
      {phase === "live" && !readout && <span>{t("display.readout.measuring")}</span>}
      {phase === "live" && readout && (
        <>
          {readout.roundTripMs !== undefined && (
            <Figure wide={4} value={readout.roundTripMs || "< 1"} unit={t("display.readout.roundTrip")} />
          )}
          <span className="motion">
            {readout.framesPerSecond > 0 ? (
              <Figure wide={3} value={readout.framesPerSecond} unit={t("display.readout.framesPerSecond")} />
            ) : (
              t("display.readout.atRest")
            )}
          </span>
          <Figure wide={4} value={readout.megabitsPerSecond.toFixed(1)} unit={t("display.readout.bitRate")} />
        </>
      )}
      {phase === "live" && picture && (
        <span className="resolution">{t("display.readout.resolution", { ...sizeOf(device, picture) })}</span>
      )}
    </Box>
  );
}

/** `wide` is the room for the value, in digits. */
const Figure = ({ value, unit, wide }: { value: number | string; unit: string; wide: number }) => (
  <span>
    <b style={{ minWidth: `${wide}ch` }}>{value}</b> {unit}
  </span>
);

/** The device's size, turned as its picture is. */
function sizeOf({ width, height }: PictureSize, picture: PictureSize): PictureSize {
  const isTurned = width > height !== picture.width > picture.height;
  return isTurned ? { width: height, height: width } : { width, height };
}

const line = (theme: Theme) => ({
  display: "flex",
  gap: "18px",
  minWidth: 0,
  whiteSpace: "nowrap",
  overflow: "hidden",
  "& b": { fontWeight: 600, color: theme.vars.palette.text.primary },
  "& span > b": { display: "inline-block", textAlign: "right" },
  "& .path": { display: "inline-flex", alignItems: "center", gap: "5px", minWidth: 68 },
  "& .path > b": { textAlign: "left" },
  "& .motion": { minWidth: "6.5em" },
  "& .path svg": { color: theme.vars.palette.primary.main },
  "& .why": { overflow: "hidden", textOverflow: "ellipsis" },
  "& .path[data-path^=slow] svg": { color: theme.vars.palette.warning.main },
  "& .path[data-path=lost] svg": { color: theme.vars.palette.error.main },
  [theme.breakpoints.down("sm")]: {
    gap: "12px",
    whiteSpace: "normal",
    "& .resolution": { display: "none" },
    // The way and why in one line, the figures in another.
    "&:has(.why)": { flexWrap: "wrap", gap: "0 12px", whiteSpace: "nowrap" },
    "& .why": { flex: "1 0 50%", minWidth: 0 },
  },
});
