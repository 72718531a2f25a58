import { lookup, Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Clock } from "@terrarium/clock";
import { isPublicAddress } from "./public-address.ts";

/** Where requests to addresses that customers name may go. */
export interface OutsidePolicy {
  /** Also to http, to this machine and to its networks. */
  allowsPrivate: boolean;
  /** Finds the addresses of a host; the system's by default. */
  resolve?: (host: string) => Promise<string[]>;
}

/** A request that was not made, or not answered. The code is one of ours, or the system's: `ECONNREFUSED`. */
export class OutsideError extends Error {
  override name = "OutsideError";
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;

/** Whether an address can be seen to be refused, without asking for what its host name stands for. */
export function isRefused(url: URL, { allowsPrivate }: OutsidePolicy): boolean {
  if (allowsPrivate) return false;
  const host = hostOf(url);
  return url.protocol !== "https:" || (isIP(host) !== 0 ? !isPublicAddress(host) : !host.includes("."));
}

export interface OutsidePost {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** For all of it: names, connection, answer. */
  timeoutMs: number;
  /** What is read of the answer; the connection is then cut. */
  maxAnswerBytes: number;
  policy: OutsidePolicy;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Posts to an address that a customer named. All addresses of its host are checked, and the connection goes to one that was: a name that
 * leads elsewhere a moment later (DNS rebinding) gains nothing. Redirects are answers as any other, and not followed.
 * @throws OutsideError ADDRESS_REFUSED, TIMEOUT, or the system's code; the signal's reason
 */
export async function postOutside(post: OutsidePost): Promise<{ status: number; answer: string }> {
  const { url, policy, clock, timeoutMs, signal } = post;
  if (isRefused(url, policy)) throw new OutsideError("ADDRESS_REFUSED");
  const over = new AbortController();
  const late = new AbortController();
  clock.sleep(timeoutMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const ends = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = await untilAborted(resolve(hostOf(url), policy), ends);
    if (!policy.allowsPrivate && !addresses.every(isPublicAddress)) throw new OutsideError("ADDRESS_REFUSED");
    return await send(post, addresses, ends);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.signal.aborted) throw new OutsideError("TIMEOUT", { cause: error });
    if (error instanceof OutsideError) throw error;
    const { code } = error as { code?: unknown };
    throw new OutsideError(typeof code === "string" ? code : "FAILED", { cause: error });
  } finally {
    over.abort();
  }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

async function resolve(host: string, { allowsPrivate, resolve: find }: OutsidePolicy): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await (find ?? (allowsPrivate ? findAsSystem : findByDns))(host);
  if (found.length === 0) throw new OutsideError("ENOTFOUND");
  return found;
}

const findAsSystem = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The system's way to ask blocks one of Node's few threads, which hash passwords and read files, for as long as a name server likes. */
async function findByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (found.length === 0 && first?.status === "rejected") throw first.reason;
  return found;
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Error("aborted"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

function send(
  { url, headers, body, maxAnswerBytes }: OutsidePost,
  addresses: string[],
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Promise((done, fail) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup: (_, options, found) => {
        const [first] = all;
        if (options.all) found(null, all);
        else found(null, first?.address ?? "", first?.family);
      },
    });
    request.on("error", fail);
    // What is no answer to a POST, such as 101, closes the connection without an error.
    const closed = () => fail(new OutsideError("ECONNRESET"));
    request.on("close", closed);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const answer = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxAnswerBytes));
        done({ status: response.statusCode ?? 0, answer });
        request.destroy();
      };
      // The answer is there with its status, whatever happens to its text.
      request.off("error", fail).off("close", closed).on("error", finish);
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= maxAnswerBytes) finish();
      });
      response.on("end", finish);
      response.on("error", finish);
      response.on("close", finish);
    });
    request.end(body);
  });
}
