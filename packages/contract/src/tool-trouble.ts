/** Why one of the tools beside a device's screen did not do something, as its socket says it. */
export type ToolTrouble =
  | "refused"
  | "missing"
  | "notFolder"
  | "invalid"
  | "busy"
  | "tooLarge"
  | "unsupported"
  | "full"
  | "failed";
