/** What everything about live sessions is asked for by. */
export const liveSessionKey = ["live-sessions"] as const;

export const liveSessionAddress = (uuid: string): string => `/live-session/${uuid}`;
