/** The most characters of one message on the signalling socket: an offer has about 8 000. */
export const MAX_SIGNAL_CHARS = 64 * 1024;

/** The most characters of one message on the events channel; browsers send no more than the 256 KiB that our answer allows. */
export const MAX_EVENT_CHARS = 256 * 1024;

/** Tokens are ours; this is several times what they are long. */
export const MAX_TOKEN_CHARS = 4096;

/** A candidate is about 120 characters. */
export const MAX_CANDIDATE_CHARS = 1024;

/** Commands in one channel message: the legacy network form sends eight. */
export const MAX_COMMANDS = 32;

/** Fingers on one screen. */
export const MAX_POINTS = 10;

/** A pointer can leave the frame, but not by more than any frame is large. */
export const MAX_COORDINATE_PX = 0xffff;
