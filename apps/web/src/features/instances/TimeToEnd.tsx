import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { serviceNow } from "../../components/service-time.ts";
import { timeLeft } from "../../shared/time-left.ts";

/** How long until a device stops by itself, in small print. */
export function TimeToEnd({ stopsAt }: { stopsAt: string }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return t("launchpad.wall.left", { time: timeLeft(stopsAt, now).text });
}
