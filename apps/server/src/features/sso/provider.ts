/** What one sign-in is recognised by, made when it begins. */
export interface Flow {
  /** The page of ours that the provider leads back to. */
  redirectUri: string;
  state: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636), whose hash the provider is sent. */
  verifier: string;
}

/** Who somebody is, according to a provider whose answer was verified. */
export interface Profile {
  /** With the subject it names a person: neither changes, unlike their address. */
  issuer: string;
  subject: string;
  /** Lower case; undefined unless the provider has verified that it is theirs. */
  email: string | undefined;
  /** Whether the provider decides who has this address, as Google does for gmail.com, and not only mailed a link there once. */
  isAuthoritative: boolean;
  firstName: string;
  lastName: string;
  /** The values of the claim that names groups; undefined if none is asked for, or none was sent. */
  groups?: readonly string[] | undefined;
}

/** Somebody else with whom people sign in. */
export interface Provider {
  /** On the wire. */
  name: string;
  label: string;
  /** Whether a demonstration plays it itself. */
  isStandIn: boolean;
  /** New accounts belong to this organization; without it they are guests. */
  organization?: string | undefined;
  /** The address of the provider's page. */
  begin(flow: Flow): Promise<string>;
  /**
   * Verifies what the provider led back with, and asks it who that is.
   * @throws whatever is wrong with its answers
   */
  finish(flow: Flow, query: Readonly<Record<string, string>>): Promise<Profile>;
}
