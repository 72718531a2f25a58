import { Checkbox, FormControlLabel, Typography } from "@mui/material";
import type { Instance, Timeouts } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { createPreference } from "../../components/preferences.ts";
import { AppDialog } from "../../components/AppDialog.tsx";
import { sayDuration } from "../../components/say-duration.ts";
import { reminderOf } from "./stop-reminder.ts";

export const hideStopReminder = createPreference<boolean>({
  name: "hide-instance-stop-reminder",
  version: 1,
  byDefault: false,
  accepts: (value): value is boolean => typeof value === "boolean",
});

/** Reminds a guest that the device counts on somebody else's organization until it ends. */
export function StopReminder({
  instance,
  onClose,
}: {
  instance: Pick<Instance, "name" | "timeouts">;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [isHidden, setHidden] = useState(false);
  const close = () => {
    if (isHidden) hideStopReminder.write(true);
    onClose();
  };
  const { inactivity, global }: Timeouts = instance.timeouts;
  return (
    <AppDialog title={t("launchpad.stopReminder.title")} onClose={close} dismiss={t("launchpad.stopReminder.close")}>
      <Typography sx={{ overflowWrap: "anywhere" }}>
        {t(`launchpad.stopReminder.${reminderOf(instance.timeouts)}`, {
          name: instance.name,
          inactivity: sayDuration(inactivity, t),
          global: sayDuration(global, t),
        })}
      </Typography>
      <FormControlLabel
        sx={{ mt: 3 }}
        label={t("launchpad.stopReminder.hide")}
        slotProps={{ typography: { variant: "body2" } }}
        control={<Checkbox checked={isHidden} onChange={(_, checked) => setHidden(checked)} />}
      />
    </AppDialog>
  );
}
