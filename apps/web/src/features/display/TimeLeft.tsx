import { Box, ButtonBase, Tooltip } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type AnnouncedStop, announcedStops, type Instance, limits } from "@terrarium/contract";
import Timer from "lucide-react/icons/timer";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { announce } from "../../components/announce.ts";
import { Icon } from "../../components/Icon.tsx";
import { useNow } from "../../components/use-now.ts";
import { routeRules } from "../../session/routes.ts";
import { timeLeft, type TimeTone } from "../../shared/time-left.ts";

interface Props {
  stopsAt: string;
  because: Instance["stops_because"];
  /** Whether they manage the organization that it counts for. */
  decides?: boolean | undefined;
  /** Lets it run longer; missing for who may not. */
  onExtend?: (() => void) | undefined;
}

/** Where managers do something about what was announced. */
const decidedAt: Record<AnnouncedStop, string> = {
  budget_used_up: `${routeRules.dashboard.path}#budgets`,
  minutes_used_up: routeRules.billing.path,
  license_expired: routeRules.billing.path,
  plan_suspended: routeRules.invoices.path,
  plan_ended: routeRules.billing.path,
};

const EXTENSION_MS = limits.extensionMinutes * 60_000;
/** As much may be missing between the page's seconds and the service's clock: just extended, a device has an hour. */
const BEHIND_MS = 5_000;

/**
 * How long until the device stops by itself, why, and the way to let it run longer; only this line is drawn again each second. It is
 * announced to screen readers when little is left.
 */
export function TimeLeft({ stopsAt, because, decides = false, onExtend }: Props) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const { text, tone: pressing } = timeLeft(stopsAt, now);
  const announced = announcedStops.find((each) => each === because);
  const tone = announced && pressing === "neutral" ? "warning" : pressing;
  const why = because ? t(`display.timeLeft.because.${because}`) : "";
  const label = t("display.timeLeft.label", { time: text });
  const warn = useEffectEvent(() => announce(announced ? `${label}. ${why}` : label));
  useEffect(() => {
    if (tone !== "neutral") warn();
  }, [tone]);
  // What was announced only managers let run on, where they see why. With more than an hour left there is nothing to add.
  const canExtend = !announced && Date.parse(stopsAt) - now < EXTENSION_MS + BEHIND_MS;
  return (
    <Box component="span" sx={(theme) => pill(theme, tone)}>
      <Tooltip title={why} describeChild>
        <Box component="span" role="timer" aria-label={label} tabIndex={0} sx={words}>
          <Icon glyph={Timer} />
          <b>{text}</b>
          <Box component="span" sx={{ display: { xs: tone === "error" ? "inline" : "none", sm: "inline" } }}>
            {t(tone === "error" ? "display.timeLeft.soon" : "display.timeLeft.left")}
          </Box>
          {announced && <span>{t(`display.timeLeft.announced.${announced}`)}</span>}
        </Box>
      </Tooltip>
      {announced && !decides && <span>{t("display.timeLeft.ask")}</span>}
      {announced && decides && (
        <ButtonBase component={Link} to={decidedAt[announced]} sx={extend}>
          {t(`display.timeLeft.decide.${announced}`)}
        </ButtonBase>
      )}
      {onExtend && canExtend && (
        <Tooltip title={t("display.timeLeft.extendLabel")} describeChild>
          <ButtonBase
            onClick={onExtend}
            // A phone has room for it once little is left.
            sx={[extend, tone === "neutral" && { display: { xs: "none", sm: "inline-flex" } }]}
          >
            {t("display.timeLeft.extend")}
          </ButtonBase>
        </Tooltip>
      )}
    </Box>
  );
}

const words = { display: "inline-flex", alignItems: "center", gap: "6px" } as const;

const extend = {
  typography: "button",
  color: "primary.main",
  minHeight: { xs: 44, sm: 28 },
  minWidth: { xs: 44, sm: 0 },
  px: 1.5,
  mr: -1.5,
  borderRadius: "6px",
} as const;

function pill(theme: Theme, tone: TimeTone) {
  const colors = theme.vars.palette;
  return {
    ...theme.typography.body2,
    display: "inline-flex",
    alignItems: "center",
    gap: "6px",
    flex: "none",
    flexWrap: "wrap",
    maxWidth: "100%",
    minHeight: 32,
    padding: "0 10px",
    borderRadius: "6px",
    background: colors[tone].soft,
    color: tone === "neutral" ? colors.text.secondary : colors[tone].main,
    "& b": { fontWeight: 600, color: tone === "neutral" ? colors.text.primary : "inherit" },
  };
}
