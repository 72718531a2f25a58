import { Alert, Button } from "@mui/material";
import WifiOff from "lucide-react/icons/wifi-off";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../components/Icon.tsx";
import { realtime } from "./realtime.ts";

/** Says that what is shown may be old, and offers to try again, once the link has given up. */
export function LinkBar() {
  const { t } = useTranslation();
  const status = useSyncExternalStore(realtime.subscribe, () => realtime.status);
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
