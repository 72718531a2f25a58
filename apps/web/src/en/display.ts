export const display = {} as const;
