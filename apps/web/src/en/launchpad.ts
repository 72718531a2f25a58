export const launchpad = {} as const;
