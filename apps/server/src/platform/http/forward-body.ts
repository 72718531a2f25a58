import type { ArrivingBody } from "@terrarium/contract";
import { Agent, type IncomingMessage, request } from "node:http";

/** Another process of this service answers with little JSON. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface Forward {
  /** `host:port` */
  to: string;
  path: string;
  headers: Record<string, string>;
  body: ArrivingBody;
}

/**
 * Posts a body to another process of this service while it arrives, no faster than that process reads it. Resolves with its answer, also
 * when it comes before the end of the body; until it is here, that process must not hang up. Rejects when that process is gone, or the
 * client.
 */
export async function forwardBody({ to, path, headers, body }: Forward): Promise<{ status: number; json: unknown }> {
  const [host = "", port = ""] = to.split(/:(?=\d+$)/);
  // Otherwise it would ask the other side to hang up after its reply.
  const agent = new Agent({ keepAlive: true });
  const onward = request({
    host,
    port,
    path,
    method: "POST",
    agent,
    headers: { ...headers, "content-length": body.bytes },
  });
  const answered = Promise.withResolvers<IncomingMessage>();
  onward.once("response", answered.resolve).on("error", answered.reject);
  const write = (part: Uint8Array) =>
    new Promise<void>((resolve, reject) => onward.write(part, (error) => (error ? reject(error) : resolve())));
  const over = new AbortController();
  const sent = body.each(write, over.signal).then(
    () => void onward.end(),
    (error: unknown) => {
      // If it was the other process that stopped reading, it may have said why.
      if (body.gone.aborted) throw error;
    },
  );
  try {
    const answer = await Promise.race([answered.promise, sent.then(() => answered.promise)]);
    let text = "";
    for await (const part of answer.setEncoding("utf8")) {
      text += part as string;
      if (text.length > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    }
    return { status: answer.statusCode ?? 0, json: JSON.parse(text) as unknown };
  } finally {
    over.abort();
    onward.destroy();
    agent.destroy();
  }
}
