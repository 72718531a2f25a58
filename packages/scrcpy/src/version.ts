/**
 * The only supported version of scrcpy. Its server refuses clients of any other version, so the jar on a device must be
 * exactly this one: 4.x and 3.x have different headers.
 */
export const SCRCPY_VERSION = "4.1";

/** The SHA-256 of `scrcpy-server-v4.1`, as SHA256SUMS.txt of the release on github.com/Genymobile/scrcpy says. */
export const SCRCPY_SERVER_SHA256 = "deacb991ed2509715160ffdc7907e47b4160eb30d1566217e9047fd5b8850cae";
