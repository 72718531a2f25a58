/**
 * Puts the address that browsers reach us at in place of our own into a candidate, or into all candidates of an SDP: behind
 * one-to-one NAT, as in a container, our own means nothing to them.
 */
export function withHostAddress(text: string, hostAddress: string | undefined): string {
  if (hostAddress === undefined) return text;
  return text.replaceAll(
    /(candidate:\S+ \d+ \S+ \d+ )\S+( \d+ typ host)/g,
    (_, before: string, after: string) => `${before}${hostAddress}${after}`,
  );
}
