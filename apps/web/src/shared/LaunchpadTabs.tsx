import "../en/launchpad.ts";
import { Tab, Tabs } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { launchpad, routeRules } from "../session/routes.ts";

/** One's devices, and the live sessions one takes part in. */
export function LaunchpadTabs({ value }: { value: "devices" | "liveSessions" }) {
  const { t } = useTranslation();
  return (
    <Tabs value={value} sx={{ borderBottom: 1, borderColor: "divider", mt: { xs: 1, sm: 3 }, flex: "none" }}>
      <Tab value="devices" label={t("launchpad.tabs.devices")} component={Link} to={launchpad} />
      <Tab
        value="liveSessions"
        label={t("launchpad.tabs.liveSessions")}
        component={Link}
        to={routeRules.liveSessions.path}
      />
    </Tabs>
  );
}
