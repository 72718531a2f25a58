import { AppError } from "@terrarium/sdk";

/** The service cannot be reached: what is known still holds. Any other failure is an answer. */
export const isAway = (error: unknown): boolean => error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";

/** How often a service that does not answer is asked again. */
export const AWAY_RETRY_MS = 5_000;
