import { Box, Button, Typography } from "@mui/material";
import { useColorScheme } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { forgetPreferences } from "../../components/preferences.ts";
import { Segmented } from "../../components/Segmented.tsx";
import { snack } from "../../components/snack-queue.ts";
import { publicSettings } from "../../session/settings.ts";
import { ConsentSwitch } from "../../shared/ConsentSwitch.tsx";

const modes = ["light", "dark", "system"] as const;

/** How the product looks to this person, and what they let it count. */
export function Preferences() {
  const { t } = useTranslation();
  const { mode = "system", setMode } = useColorScheme();
  const collects = Boolean(useQuery(publicSettings).data?.analytics);
  const analytics = useId();
  return (
    <Box sx={{ display: "grid", gap: 5 }}>
      <Line title={t("profile.preferences.theme")}>
        <Segmented
          label={t("profile.preferences.theme")}
          value={mode}
          choices={modes.map((value) => ({ value, label: t(`common.theme.${value}`) }))}
          onChange={setMode}
        />
      </Line>
      {collects && (
        <Line
          title={t("profile.preferences.analytics")}
          help={t("profile.preferences.analyticsHelp")}
          labels={analytics}
        >
          <ConsentSwitch id={analytics} />
        </Line>
      )}
      <Line title={t("profile.preferences.views")} help={t("profile.preferences.viewsHelp")}>
        <Button
          onClick={() => {
            forgetPreferences();
            snack("success", t("profile.preferences.resetDone"));
          }}
        >
          {t("profile.preferences.reset")}
        </Button>
      </Line>
    </Box>
  );
}

interface LineProps {
  title: string;
  help?: string;
  /** The control that the title is the label of. */
  labels?: string;
  children: React.ReactNode;
}

function Line({ title, help, labels, children }: LineProps) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3 }}>
      <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
        <Typography variant="label" {...(labels && { component: "label", htmlFor: labels })}>
          {title}
        </Typography>
        {help && (
          <Typography variant="caption" component="div" id={labels && `${labels}-help`} color="textSecondary">
            {help}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  );
}
