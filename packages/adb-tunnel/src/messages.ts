/**
 * The text messages of a tunnel. Binary messages are adb's bytes, cut anywhere.
 *
 *     client                                                        service
 *       {"token": "…", "resume": "new"}  ------------------------------>
 *       <-------------------  {"connection": "SUCCESS", "resume": ID, "received": 0}
 *       bytes  <------------------------------------------------------->  bytes
 *       {"received": N}  <--------------------------------------------->  {"received": N}
 *          the network is lost; within a minute:
 *       {"token": "…", "resume": ID, "received": N}  ------------------->
 *       <-------------------  {"connection": "SUCCESS", "resume": ID, "received": M}
 *       bytes from M on  <--------------------------------------------->  bytes from N on
 *
 * A client that cannot resume sends the token alone, as `{"token": "…"}` or as it is, or in the header or query of its request; then there
 * are no other texts. One that says `adbTunnelVersion` is answered `{"connection": "SUCCESS"}` and speaks in whole packets.
 */
export interface Hello {
  token: string;
  /** Of the daemon that comes with `gmsaas`. In version 2 the service does the flow control of adb's streams for it. */
  daemonVersion?: number | undefined;
  resume?: { id: string; received: number } | "new" | undefined;
}

export interface Welcome {
  resume: string;
  received: number;
}

const MAX_TOKEN_CHARS = 4096;
const MAX_ID_CHARS = 64;

/** Parses a client's first message; undefined if it holds no token. Never throws. */
export function parseHello(text: string): Hello | undefined {
  if (text.length > MAX_TOKEN_CHARS) return undefined;
  if (/^[\w.-]+$/.test(text)) return { token: text };
  const said = parse(text);
  const { token, resume, received, adbTunnelVersion } = said ?? {};
  if (typeof token !== "string") return undefined;
  if (typeof adbTunnelVersion === "number") return { token, daemonVersion: adbTunnelVersion };
  if (resume === undefined || resume === "new") return { token, resume };
  if (typeof resume !== "string" || resume.length > MAX_ID_CHARS || !isCount(received)) return undefined;
  return { token, resume: { id: resume, received } };
}

/** Parses the service's answer. */
export function parseWelcome(text: string): Welcome | undefined {
  const { connection, resume, received } = parse(text) ?? {};
  return connection === "SUCCESS" && typeof resume === "string" && isCount(received) ? { resume, received } : undefined;
}

/** Parses how many bytes the other end has taken in all. */
export function parseConfirmation(text: string): number | undefined {
  const received = parse(text)?.received;
  return isCount(received) ? received : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
