import { Switch } from "@mui/material";
import { useSyncExternalStore } from "react";
import { analyticsConsent } from "./consent.ts";

/** Gives consent for this browser, and takes it back. The element whose id is `id` with `-help` describes it. */
export function ConsentSwitch({ id }: { id: string }) {
  const isGiven = useSyncExternalStore(analyticsConsent.subscribe, analyticsConsent.read, () => false);
  return (
    <Switch
      checked={isGiven}
      onChange={(_, isOn) => analyticsConsent.write(isOn)}
      slotProps={{ input: { id, role: "switch", "aria-describedby": `${id}-help` } }}
    />
  );
}
