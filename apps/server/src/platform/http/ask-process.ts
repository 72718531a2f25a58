import { type Clock, within } from "@terrarium/clock";

/** Another process of this service answers with little JSON. */
const MAX_ANSWER_CHARS = 2 * 1024 ** 2;

export interface Ask {
  /** `host:port` */
  to: string;
  path: string;
  headers: Record<string, string>;
  body: object;
  timeoutMs: number;
}

/** Posts JSON to another process of this service; resolves with its answer. Rejects when that process is gone, or takes too long. */
export function askProcess(
  clock: Clock,
  { to, path, headers, body, timeoutMs }: Ask,
): Promise<{ status: number; json: unknown }> {
  return within(timeoutMs, clock, new AbortController().signal, async (signal) => {
    const answer = await fetch(`http://${to}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const text = await answer.text();
    if (text.length > MAX_ANSWER_CHARS) throw new Error("the answer is too long");
    return { status: answer.status, json: JSON.parse(text) as unknown };
  });
}
