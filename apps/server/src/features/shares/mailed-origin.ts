import { isLoopback } from "../../platform/http/hosts.ts";

/**
 * Where links in mails lead: the public URL, or the origin of the request if that is on the reader's own machine. The name in any other
 * request is whatever its sender says, so a mail has no link then.
 */
export function mailedOrigin(
  { publicUrl }: { publicUrl: string | undefined },
  { origin }: { origin: string },
): string | undefined {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return isLoopback(new URL(origin).hostname) ? origin : undefined;
}
