import { Alert, Box, Button } from "@mui/material";
import WifiOff from "lucide-react/icons/wifi-off";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../components/Icon.tsx";
import { realtime } from "./realtime.ts";

/** A link that comes back sooner was not missed. */
const QUIET_MS = 2_000;

/** Says that what is shown may be old: quietly while the link is tried again by itself, and with a button once it has given up. */
export function LinkBar() {
  const { t } = useTranslation();
  const status = useSyncExternalStore(realtime.subscribe, () => realtime.status);
  const isWaiting = useLasting(status === "waiting");

  // Somebody is back at the page, or the network is: worth a try.
  useEffect(() => {
    if (status !== "lost") return undefined;
    const retry = () => document.visibilityState === "visible" && realtime.retry();
    globalThis.addEventListener("online", retry);
    document.addEventListener("visibilitychange", retry);
    return () => {
      globalThis.removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", retry);
    };
  }, [status]);

  if (isWaiting)
    return (
      <Box component="output" sx={line}>
        <Icon glyph={WifiOff} size={14} />
        {t("common.link.waiting")}
      </Box>
    );
  if (status !== "lost") return null;
  return (
    <Alert
      severity="warning"
      icon={<Icon glyph={WifiOff} />}
      sx={{ m: { xs: 3, sm: "16px 24px 0" }, alignItems: "center" }}
      action={
        <Button variant="text" sx={{ color: "inherit" }} onClick={() => realtime.retry()}>
          {t("common.link.retry")}
        </Button>
      }
    >
      {t("common.link.lost")}
    </Alert>
  );
}

/** Whether something is so, and has been for a while. */
function useLasting(isSo: boolean): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLasted(true), QUIET_MS);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isSo]);
  return hasLasted;
}

const line = {
  display: "flex",
  alignItems: "center",
  gap: 2,
  px: { xs: 4, sm: 6 },
  py: 2,
  typography: "body2",
  color: "text.secondary",
  borderBottom: 1,
  borderColor: "divider",
};
