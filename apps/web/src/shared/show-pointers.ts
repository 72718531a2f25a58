import { createPreference } from "../components/preferences.ts";

/** Whether one sees where the others at a device point, and they see one's own pointer. */
export const showPointers = createPreference<boolean>({
  name: "show-pointers",
  version: 1,
  byDefault: true,
  accepts: (value): value is boolean => typeof value === "boolean",
});
