/** A short time in seconds, with a tenth while that matters. */
export const secondsText = (ms: number): string => (ms / 1000).toFixed(ms < 9950 ? 1 : 0);
