import "../../en/announcement.ts";
import { Alert, Box } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import Megaphone from "lucide-react/icons/megaphone";
import { Icon } from "../../components/Icon.tsx";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { isAcknowledged, isAnnounced } from "./announcement.ts";

/** What everybody concerned must know, above each page. It goes by the service's time and cannot be dismissed. */
export function Announcement() {
  const { t } = useTranslation();
  const settings = useQuery(publicSettings).data;
  const { data: organization } = useQuery(organizationOf(useMe()));
  const situation = { isAcknowledged: isAcknowledged(), organization };
  if (
    !settings?.time ||
    !isAnnounced({
      ...situation,
      now: Date.parse(settings.time),
      excluded: settings.banner_excluded_organization,
    })
  )
    return null;
  return (
    <Box component="section" aria-label={t("announcement.label")} sx={{ m: { xs: 3, sm: "16px 24px 0" } }}>
      <Alert role="none" severity="info" icon={<Icon glyph={Megaphone} />}>
        <strong>{t("announcement.title")}</strong> {t("announcement.text")}
      </Alert>
    </Box>
  );
}
