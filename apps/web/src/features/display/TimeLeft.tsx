import { Box, ButtonBase, Tooltip } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type Instance, limits } from "@terrarium/contract";
import Timer from "lucide-react/icons/timer";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../components/announce.ts";
import { Icon } from "../../components/Icon.tsx";
import { serviceNow } from "../../components/service-time.ts";
import { timeLeft, type TimeTone } from "../../shared/time-left.ts";

interface Props {
  stopsAt: string;
  because: Instance["stops_because"];
  /** Lets it run longer; missing for who may not. */
  onExtend?: (() => void) | undefined;
}

const EXTENSION_MS = limits.extensionMinutes * 60_000;

/**
 * How long until the device stops by itself, why, and the way to let it run longer; only this line is drawn again each second. Screen
 * readers are told when little is left.
 */
export function TimeLeft({ stopsAt, because, onExtend }: Props) {
  const { t } = useTranslation();
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { text, tone } = timeLeft(stopsAt, now);
  const label = t("display.timeLeft.label", { time: text });
  const warn = useEffectEvent(() => announce(label));
  useEffect(() => {
    if (tone !== "neutral") warn();
  }, [tone]);
  // What a budget stops only managers let run on, where they see the budget. With more than an hour left there is nothing to add.
  const canExtend = because !== "budget_used_up" && Date.parse(stopsAt) - now < EXTENSION_MS;
  return (
    <Box component="span" sx={(theme) => pill(theme, tone)}>
      <Tooltip title={because ? t(`display.timeLeft.because.${because}`) : ""} describeChild>
        <Box component="span" role="timer" aria-label={label} tabIndex={0} sx={words}>
          <Icon glyph={Timer} />
          <b>{text}</b>
          <Box component="span" sx={{ display: { xs: tone === "error" ? "inline" : "none", sm: "inline" } }}>
            {t(tone === "error" ? "display.timeLeft.soon" : "display.timeLeft.left")}
          </Box>
        </Box>
      </Tooltip>
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
    minHeight: 32,
    padding: "0 10px",
    borderRadius: "6px",
    background: colors[tone].soft,
    color: tone === "neutral" ? colors.text.secondary : colors[tone].main,
    "& b": { fontWeight: 600, color: tone === "neutral" ? colors.text.primary : "inherit" },
  };
}
