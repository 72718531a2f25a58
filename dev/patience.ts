/** How long tests wait for what is to come, in milliseconds: a second, the usual patience, is short on a busy machine. */
export const patience = { timeout: 15_000 };
