/** What shows that a device has started, beside that its adb answers. */
export interface BootEvidence {
  command: string;
  /** What is still missing, by what the command has printed; undefined if nothing is. */
  missing: (said: string) => string | undefined;
}

/** Android says itself that it has started, which it does before anything can be used. */
export const saysBooted: BootEvidence = {
  command: "getprop sys.boot_completed",
  missing: (said) => (said.trim() === "1" ? undefined : "Android did not start"),
};

/** All of it answers: Android, its package manager, and a window that gets what is typed; a tap works only then. */
export const answersAll: BootEvidence = {
  command:
    "getprop sys.boot_completed; getprop init.svc.bootanim; pm path android; dumpsys window | grep mCurrentFocus",
  missing: (said) => {
    if (!/^1\s*$/m.test(said)) return "Android did not start";
    if (/^running\s*$/m.test(said)) return "its boot animation did not end";
    if (!/^package:/m.test(said)) return "its package manager did not answer";
    return /mCurrentFocus=Window\{/.test(said) ? undefined : "it showed no window";
  },
};
