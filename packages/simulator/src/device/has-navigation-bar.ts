import type { HardwareSpec } from "@terrarium/runtime";

/** Whether the system draws a navigation bar on the display that viewers see. */
export const hasNavigationBar = ({ displays, hwNavigationKeys }: HardwareSpec): boolean =>
  displays[0]?.showNavigationBar ?? !hwNavigationKeys;
