/** Characters in one signalling message; an offer has about 8,000. */
export const MAX_SIGNAL_CHARS = 64 * 1024;

/** Characters in one message of the events channel; our SDP answer limits browsers to 256 KiB. */
export const MAX_EVENT_CHARS = 256 * 1024;

/** Several times the length of the tokens we issue. */
export const MAX_TOKEN_CHARS = 4096;

/** A candidate is about 120 characters. */
export const MAX_CANDIDATE_CHARS = 1024;

/** The uuid of a user. */
export const MAX_USER_CHARS = 36;

/** Commands in one channel message; the legacy network form sends eight. */
export const MAX_COMMANDS = 32;

/** Fingers on one screen. */
export const MAX_POINTS = 10;

/** A pointer may leave the picture, but not by more than the largest picture's size. */
export const MAX_COORDINATE_PX = 0xffff;

/** Numbers of pictures on a socket are 32 bits long: two years at 60 a second. */
export const MAX_UNIT_NUMBER = 0xffffffff;
