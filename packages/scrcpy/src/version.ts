/**
 * The one version of scrcpy that is spoken. Its server refuses a client of another version, so a jar that is put on a
 * device must be of exactly this one: the headers of 4.x are not those of 3.x.
 */
export const SCRCPY_VERSION = "4.1";
