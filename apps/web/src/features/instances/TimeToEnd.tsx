import { systemClock } from "@terrarium/clock";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { timeLeft } from "../../shared/time-left.ts";

/** How long until a device stops by itself, in small print. */
export function TimeToEnd({ stopsAt }: { stopsAt: string }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return t("launchpad.wall.left", { time: timeLeft(stopsAt, now).text });
}
