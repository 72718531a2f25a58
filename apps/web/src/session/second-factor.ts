import type { Session } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";

/** What a sign-in asks for before it gives a session: the details of its refusal. */
export interface Asked {
  ticket: string;
  /** How it can be confirmed, with spaces between; undefined if a second factor has to be set up first. */
  methods?: string;
  /** Where to go on to, where the service remembers it. */
  route_to?: string;
}

/** A session that this browser has begun. */
export type BegunSession = Session & { browser_token: string };

/** What a refused sign-in asks for; undefined if it was refused for another reason: no other refusal comes with a ticket. */
export const askedBy = (error: unknown): Asked | undefined =>
  error instanceof AppError && error.details?.["ticket"] ? (error.details as unknown as Asked) : undefined;
