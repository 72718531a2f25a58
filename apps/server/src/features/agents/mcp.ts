import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { DeviceServerOptions } from "@terrarium/mcp";
import { Turns } from "@terrarium/runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { isOwnPage, type Origins } from "../../platform/http/own-pages.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Actor } from "../sessions/actor.ts";
import { noteAdmitted } from "../sessions/admitted.ts";
import { bearerTokenOf } from "../sessions/bearer-token.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { Artist } from "./artist.ts";
import { ownApi } from "./own-api.ts";
import { reachAdb, reachTools } from "./reach-device.ts";

// Loaded at the first request: a service without agents starts sooner.
const library = () => Promise.all([import("@modelcontextprotocol/server"), import("@terrarium/mcp")]);

/** Where agents come in, below no `/cloud`: they are given an address, and nothing else. */
export const MCP_PATH = "/mcp";

/** An agent calls a tool every few seconds; a user may have some. */
export const requestsOfUser: Limit = { name: "requests of a user's agents", max: 600, windowMs: 60_000 };
/** Of one user, in this process: each may hold a connection to a device. */
const MAX_OPEN = 16;
/** A start is waited for 45 s; the longest installs take more. */
const MAX_MS = 120_000;
const MAX_APK_BYTES = 8 * 1024 ** 2;
/** Such an app in base64, and the words around it. */
const MAX_BODY_BYTES = 12 * 1024 ** 2;

export interface AgentDeps extends Origins {
  db: Database;
  clock: Clock;
  limiter: DatabaseRateLimiter;
  sessions: Sessions;
  /** Of the service. */
  version: string;
}

/** What the address says: it bounds an agent further than its token and its organization's quotas do, and never less. */
const Query = z.object({
  max_devices: z.coerce.number().int().min(1).max(50).default(2),
  max_minutes: z.coerce.number().int().min(1).max(1440).default(60),
  read_only: z.stringbool().default(false),
});

/** Somebody's agent, as its request is admitted. */
interface Agent {
  actor: Actor;
  apiToken: string;
  bounds: z.output<typeof Query>;
  request: FastifyRequest;
}

/** A call that may still be cancelled. */
interface Call {
  /** By whom, and under which number; clients count alike, so that several may be under one. */
  key: string;
  over: AbortController;
}

/**
 * Serves the Model Context Protocol over HTTP to agents with an API token. It holds no state between requests, so that any process may
 * answer any of them. It is not in the contract: what is said here is given by the protocol, and what its tools do passes the contract's
 * routes.
 */
export function serveMcp(app: FastifyInstance, deps: AgentDeps): void {
  const { db, clock, limiter, version } = deps;
  const isOwn = isOwnPage(deps);
  const artist = new Artist({ clock });
  const turns = new Turns();
  const agents = new WeakMap<FastifyRequest, Agent>();
  const open = new Map<string, Set<Call>>();

  /** Of the tools, as one request's caller has them. */
  const optionsOf = ({ actor, apiToken, bounds, request }: Agent): DeviceServerOptions => {
    const { clientAddress: address, headers } = request;
    const client = ownApi(app, { apiToken, address, userAgent: headers["user-agent"] });
    return {
      version,
      client,
      clock,
      turns: { take: (name, work) => turns.take(`${actor.uuid} ${name}`, work) },
      mark: (png, elements) => artist.mark(actor.uuid, png, elements),
      async withAdb(uuid, work, signal) {
        const { access_token: token } = await client.instances.accessToken(
          { body: { instance_uuid: uuid } },
          { signal },
        );
        return reachAdb({ db, clock, address }, { uuid, token }, work, signal);
      },
      openTools: (uuid, signal) => reachTools({ db, clock, address }, uuid, signal),
      installer: {
        description: `Installs an APK of up to ${MAX_APK_BYTES / 1024 ** 2} MiB on a device, and opens it.`,
        file: z
          .string()
          .max(Math.ceil(MAX_APK_BYTES / 3) * 4)
          .describe("The APK itself, in base64"),
        async install(uuid, file, signal) {
          const body = new Blob([Buffer.from(file, "base64")], { type: "application/vnd.android.package-archive" });
          return (await client.instances.installApp({ params: { uuid }, body }, { signal })).package_name;
        },
      },
      isReadOnly: bounds.read_only || actor.scope === "read",
      maxDevices: bounds.max_devices,
      maxMinutes: bounds.max_minutes,
    };
  };

  app.addHook("preClose", async () => {
    for (const calls of open.values()) for (const { over } of calls) over.abort(new Error("The service stops."));
  });
  void app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      // As the protocol demands: no page of a stranger has its visitors' browsers speak to us, however it has named us (DNS rebinding).
      if (!isOwn(request)) throw new AppError("ORIGIN_NOT_ALLOWED", { facts: { origin: request.headers.origin } });
      void reply.header("cache-control", "no-store");
      agents.set(request, await admit(deps, request, reply));
    });
    scope.route({
      // The others are those of its sessions, of which there are none: they are refused by the protocol's own words.
      method: ["GET", "POST", "DELETE"],
      url: MCP_PATH,
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) => {
        const agent = agents.get(request);
        if (!agent) throw new AppError("NOT_AUTHENTICATED");
        const { actor } = agent;
        await limiter.take(requestsOfUser, actor.uuid);
        const [{ createMcpHandler }, { createDeviceServer }] = await library();
        const message = messageOf(request.body);
        const keyOf = (id: unknown) =>
          JSON.stringify([actor.credential, request.clientAddress, request.headers["user-agent"], id]);
        const calls = open.get(actor.uuid) ?? new Set();
        if (message.method === "notifications/cancelled") {
          const meant = [...calls].filter(({ key }) => key === keyOf(message.params?.["requestId"]));
          if (meant.length === 1) meant[0]?.over.abort(new Error("It was cancelled."));
        }
        if (calls.size >= MAX_OPEN) throw new AppError("TOO_MANY_REQUESTS", { facts: { retryAfterSeconds: 1 } });
        const call: Call = { key: keyOf(message.id ?? randomUUID()), over: new AbortController() };
        open.set(actor.uuid, calls.add(call));
        const ended = () => {
          calls.delete(call);
          if (calls.size === 0) open.delete(actor.uuid);
          call.over.abort(new Error("Nobody waits for it any more."));
        };
        reply.raw.once("close", ended);
        clock.sleep(MAX_MS, call.over.signal).then(
          () => call.over.abort(new Error("It took too long.")),
          () => undefined,
        );
        const mcp = createMcpHandler(() => createDeviceServer(optionsOf(agent)), {
          onerror: (error) => request.log.debug({ err: error }, "an agent was refused"),
        });
        return answer(reply, await mcp.fetch(asWebRequest(request, call.over.signal), { parsedBody: request.body }));
      },
    });
  });
}

/** @throws AppError NOT_AUTHENTICATED, BOTH_CREDENTIALS, invalid_request */
async function admit({ sessions }: AgentDeps, request: FastifyRequest, reply: FastifyReply): Promise<Agent> {
  const { headers } = request;
  // RFC 9110, section 11.6.1; it goes with no other refusal.
  const refuse = (facts = {}) => {
    void reply.header("www-authenticate", 'Bearer realm="terrarium"');
    return new AppError("NOT_AUTHENTICATED", { facts });
  };
  const own = headers["x-api-token"];
  if (own !== undefined && headers.authorization !== undefined) throw new AppError("BOTH_CREDENTIALS");
  const apiToken = own === undefined ? bearerTokenOf(headers.authorization) : String(own);
  if (apiToken === undefined) throw refuse();
  const { actor, refused } = sessions.byApiToken(apiToken);
  const found = await actor;
  if (!found) throw refuse({ credential: refused });
  const bounds = Query.safeParse(request.query);
  if (!bounds.success) throw new AppError("invalid_request", { message: z.prettifyError(bounds.error) });
  return { actor: noteAdmitted(request, found), apiToken, bounds: bounds.data, request };
}

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** What is asked. Several at once would be more than one request; the protocol no longer has that. */
function messageOf(body: unknown): z.output<typeof Message> {
  if (Array.isArray(body)) throw new AppError("invalid_request", { message: "Send one message at a time." });
  return Message.safeParse(body).data ?? {};
}

function asWebRequest({ method, headers, url }: FastifyRequest, signal: AbortSignal): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given.set(name, String(value));
  // Nothing is looked up by this name.
  return new Request(new URL(url, "http://terrarium.invalid"), { method, headers: given, signal });
}

function answer(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  void reply.status(status);
  for (const [name, value] of headers) void reply.header(name, value);
  return body ? reply.send(Readable.fromWeb(body as ReadableStream)) : reply.send();
}
