import { Box, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { publicSettings } from "../../session/settings.ts";
import { ConsentSwitch } from "../../shared/ConsentSwitch.tsx";

/** Where visitors, who have no profile, give consent or take it back. Nothing if the operator collects no statistics. */
export function ConsentChoice() {
  const { t } = useTranslation();
  const id = useId();
  if (!useQuery(publicSettings).data?.analytics) return null;
  return (
    <Box sx={{ displayPrint: "none", display: "flex", alignItems: "center", gap: 3, mb: 3 }}>
      <ConsentSwitch id={id} />
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="label" component="label" htmlFor={id}>
          {t("legal.statistics.label")}
        </Typography>
        <Typography variant="caption" component="div" id={`${id}-help`} color="textSecondary">
          {t("legal.statistics.help")}
        </Typography>
      </Box>
    </Box>
  );
}
