import { createPreference } from "../components/preferences.ts";

/** Whether one hears the device that is shown. */
export const hearDevices = createPreference<boolean>({
  name: "hear-devices",
  version: 1,
  byDefault: false,
  accepts: (value): value is boolean => typeof value === "boolean",
});
