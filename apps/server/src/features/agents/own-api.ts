import { basePath } from "@terrarium/contract";
import { type Client, createClient } from "@terrarium/sdk";
import type { FastifyInstance, InjectOptions } from "fastify";

interface Caller {
  apiToken: string;
  /** Where the call comes from, for limits and the audit log. */
  address: string;
  userAgent: string | undefined;
}

/**
 * A client of this service within the process: each call passes the same checks as one that comes over the network from this caller, and
 * leads nowhere else.
 */
export function ownApi(app: FastifyInstance, { apiToken, address, userAgent }: Caller): Client {
  const send = async (path: string, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    if (!path.startsWith(`${basePath}/`)) throw new Error(`${path} is not of this service`);
    const given = Object.fromEntries(new Headers(headers));
    const {
      statusCode,
      headers: replied,
      rawPayload,
    } = await app.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: path,
      headers: { ...given, ...(userAgent !== undefined && { "user-agent": userAgent }) },
      remoteAddress: address,
      ...(body instanceof Blob
        ? { payload: Buffer.from(await body.arrayBuffer()) }
        : typeof body === "string" && { payload: body }),
      ...(signal && { signal }),
    });
    const bodyless = statusCode === 204 || statusCode === 304;
    const replyHeaders = new Headers();
    for (const [name, value] of Object.entries(replied))
      for (const each of [value].flat()) if (each !== undefined) replyHeaders.append(name, String(each));
    return new Response(bodyless ? null : new Uint8Array(rawPayload), { status: statusCode, headers: replyHeaders });
  };
  // Nothing is lost on the way to oneself: a refusal is the answer.
  return createClient({ apiToken, retries: 0, fetch: send as typeof fetch });
}
