/** What a form says of a password that was typed again, and differently. */
export const SAME_PASSWORD = { says: "samePassword" } as const;
