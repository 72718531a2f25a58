import { Box } from "@mui/material";
import { announcedStops, type Instance, limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useNow } from "../../components/use-now.ts";
import { timeLeft } from "../../shared/time-left.ts";

const MINUTE_MS = 60_000;

/** How long until a device stops by itself, in small print. */
export function TimeToEnd({ stopsAt }: { stopsAt: string }) {
  const { t } = useTranslation();
  return t("launchpad.wall.left", { time: timeLeft(stopsAt, useNow(1_000)).text });
}

/** In how many minutes a device stops: once that was announced, or little time is left. */
export function StopsSoon({ stops_at: at, stops_because: because }: Pick<Instance, "stops_at" | "stops_because">) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const leftMs = at === null ? Infinity : Math.max(0, Date.parse(at) - now);
  const isAnnounced = announcedStops.some((each) => each === because);
  if (leftMs === Infinity || (!isAnnounced && leftMs > limits.stopNoticeMinutes * MINUTE_MS)) return null;
  return (
    <Box component="span" sx={{ typography: "caption", color: "warning.main", whiteSpace: "nowrap" }}>
      {t("launchpad.stopsIn", { minutes: Math.max(1, Math.ceil(leftMs / MINUTE_MS)) })}
    </Box>
  );
}
