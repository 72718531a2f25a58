/** What a sign-in asks for before it gives a session: the details of its refusal. */
export interface Asked {
  ticket: string;
  /** How it can be confirmed, with spaces between; undefined if a second factor has to be set up first. */
  methods?: string;
  /** Where to go on to, where the service remembers it. */
  route_to?: string;
}

/** What a refused sign-in asks for; undefined if it was refused for another reason: no other refusal comes with a ticket. */
export const askedBy = (error: unknown): Asked | undefined => {
  const { details } = error as { details?: Asked };
  return details?.ticket ? details : undefined;
};
