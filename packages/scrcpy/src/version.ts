/**
 * The only supported version of scrcpy. Its server refuses clients of any other version, so the jar on a device must be
 * exactly this one: 4.x and 3.x have different headers.
 */
export const SCRCPY_VERSION = "4.1";
