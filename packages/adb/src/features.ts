import { DELAYED_ACK } from "./packet/constants.ts";

/** What both of our ends support. Without `sendrecv_v2` and `abb`, adb falls back to what every device has. */
export const supportedFeatures = [
  DELAYED_ACK,
  "shell_v2",
  "cmd",
  "stat_v2",
  "ls_v2",
  "fixed_push_mkdir",
  "fixed_push_symlink_timestamp",
] as const;
