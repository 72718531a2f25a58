/**
 * Replaces our own address with the one browsers can reach, in one candidate or in every candidate of an SDP. Behind
 * one-to-one NAT, as in a container, our own address means nothing to them.
 */
export function withHostAddress(text: string, hostAddress: string | undefined): string {
  if (hostAddress === undefined) return text;
  return text.replaceAll(
    /(candidate:\S+ \d+ \S+ \d+ )\S+( \d+ typ host)/g,
    (_, before: string, after: string) => `${before}${hostAddress}${after}`,
  );
}
