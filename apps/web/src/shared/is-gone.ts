import { AppError } from "@terrarium/sdk";

/** Whether the service says that what was asked for is not there (any more). */
export const isGone = (error: unknown): boolean => error instanceof AppError && error.status === 404;
