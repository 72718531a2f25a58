/** What status pages call how things are, and what we call it. */
const states = {
  none: "operational",
  minor: "limited",
  maintenance: "limited",
  major: "outage",
  critical: "outage",
} as const;
export type PlatformState = (typeof states)[keyof typeof states];

/** What an indicator means; undefined for one that we do not know. */
export const stateOf = (indicator: unknown): PlatformState | undefined =>
  typeof indicator === "string" && Object.hasOwn(states, indicator)
    ? states[indicator as keyof typeof states]
    : undefined;

const POLL_MS = 300_000;
const TIMEOUT_MS = 15_000;

/** The state of the platform: read at once, then every five minutes. After a failure, what was read last still stands. */
export const platformStatus = (summary: string | undefined) => ({
  queryKey: ["platform-status", summary] as const,
  async queryFn({ signal }: { signal: AbortSignal }): Promise<PlatformState> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const reply = await fetch(summary ?? "", { signal: limit, credentials: "omit" });
    if (!reply.ok) throw new Error(`the status page replied with ${reply.status}`);
    const read = (await reply.json()) as { status?: { indicator?: unknown } } | null;
    const state = stateOf(read?.status?.indicator);
    if (!state) throw new Error("the status page says nothing that is known here");
    return state;
  },
  enabled: summary !== undefined,
  refetchInterval: POLL_MS,
  staleTime: POLL_MS,
  retry: false,
});
