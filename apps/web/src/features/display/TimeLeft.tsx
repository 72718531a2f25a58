import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { systemClock } from "@terrarium/clock";
import Timer from "lucide-react/icons/timer";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { timeLeft, type TimeTone } from "../../shared/time-left.ts";

/** How long until the device stops by itself; only this line is drawn again each second. */
export function TimeLeft({ stopsAt }: { stopsAt: string }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { text, tone } = timeLeft(stopsAt, now);
  return (
    <Box
      component="span"
      role="timer"
      aria-label={t("display.timeLeft.label", { time: text })}
      sx={(theme) => pill(theme, tone)}
    >
      <Icon glyph={Timer} />
      <b>{text}</b>
      <Box component="span" sx={{ display: { xs: tone === "error" ? "inline" : "none", sm: "inline" } }}>
        {t(tone === "error" ? "display.timeLeft.soon" : "display.timeLeft.left")}
      </Box>
    </Box>
  );
}

function pill(theme: Theme, tone: TimeTone) {
  const colors = theme.vars.palette;
  return {
    ...theme.typography.body2,
    display: "inline-flex",
    alignItems: "center",
    gap: "6px",
    flex: "none",
    height: 32,
    padding: "0 10px",
    borderRadius: "6px",
    background: colors[tone].soft,
    color: tone === "neutral" ? colors.text.secondary : colors[tone].main,
    "& b": { fontWeight: 600, color: tone === "neutral" ? colors.text.primary : "inherit" },
  };
}
