import { createPreference } from "../../../components/preferences.ts";

/** Whether what is on a device is there for a screen reader. A device is asked for it, which takes a slow one seconds. */
export const screenReaderPreference = createPreference<boolean>({
  name: "device-screen-reader",
  version: 1,
  byDefault: false,
  accepts: (value): value is boolean => typeof value === "boolean",
});
