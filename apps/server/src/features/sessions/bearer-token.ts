/** The token of an `Authorization` header (RFC 6750, section 2.1); undefined if it has none. */
export const bearerTokenOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
