import { AppError } from "@terrarium/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { asAppError } from "../../platform/http/errors.ts";
import { mediaTypeError } from "../../platform/http/receive-body.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import { admitDirectory, type ProvisioningDeps, SCIM_PATH } from "../provisioning/provisioning.ts";
import { bearerTokenOf } from "../sessions/bearer-token.ts";
import type { Directory, ListQuery, Resource, ScimDeps } from "./directory.ts";
import { asScimError, errorBody, notFound, ScimError } from "./scim-error.ts";
import { parseFilter } from "./scim-filter.ts";
import {
  createDirectoryGroup,
  getGroup,
  listGroups,
  patchGroup,
  removeDirectoryGroup,
  replaceGroup,
} from "./scim-groups.ts";
import { listOf, MAX_RESULTS, resourceTypes, schemas, serviceProviderConfig } from "./scim-schemas.ts";
import { createDirectoryUser, getUser, listUsers, patchUser, removeUser, replaceUser } from "./scim-users.ts";

/** Directories send some 25 requests a second at most while they send everybody for the first time. */
export const requestsOfDirectory: Limit = { name: "SCIM requests of an organization", max: 3000, windowMs: 60_000 };

/** A group with thousands of members, sent whole. */
const MAX_BODY_BYTES = 1024 * 1024;

const MEDIA_TYPE = "application/scim+json";

const startIndex = z.coerce
  .number()
  .int()
  .max(1_000_000)
  .default(1)
  .transform((index) => Math.max(1, index));
const count = z.coerce
  .number()
  .int()
  .default(100)
  .transform((wanted) => Math.min(MAX_RESULTS, Math.max(0, wanted)));

const Query = z.object({
  startindex: startIndex,
  count,
  filter: z.string().optional(),
  attributes: z.string().max(2000).optional(),
  excludedattributes: z.string().max(2000).optional(),
});
type Query = z.output<typeof Query>;

/** Names of parameters are taken in any case. */
const queryOf = ({ query }: FastifyRequest): Query =>
  Query.parse(Object.fromEntries(Object.entries(query as object).map(([name, value]) => [name.toLowerCase(), value])));

const namesIn = (list: string | undefined): Set<string> | undefined => {
  const names = list
    ?.split(",")
    .map((name) => /(?:.*:)?([^.]*)/.exec(name.trim().toLowerCase())?.[1] ?? "")
    .filter(Boolean);
  return names && names.length > 0 ? new Set(names) : undefined;
};

/** Leaves out of a resource what is not asked for; a part of an attribute counts as all of it. */
function only({ attributes, excludedattributes }: Query): (resource: Resource) => object {
  const [shown, hidden] = [namesIn(attributes), namesIn(excludedattributes)];
  if (!shown && !hidden) return (resource) => resource;
  const stays = (name: string) =>
    name === "id" || name === "schemas" || (shown ? shown.has(name.toLowerCase()) : !hidden?.has(name.toLowerCase()));
  return (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => stays(name)));
}

/** The verbs of one kind of resource. */
interface Kind {
  path: string;
  list(deps: ScimDeps, directory: Directory, query: ListQuery): ReturnType<typeof listUsers>;
  get(deps: ScimDeps, directory: Directory, id: string, withMembers: boolean): Promise<Resource>;
  create(deps: ScimDeps, directory: Directory, body: unknown): Promise<Resource>;
  replace(deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource>;
  patch(deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource>;
  remove(deps: ScimDeps, directory: Directory, id: string): Promise<void>;
}

const kinds: Kind[] = [
  {
    path: "/Users",
    list: listUsers,
    get: getUser,
    create: createDirectoryUser,
    replace: replaceUser,
    patch: patchUser,
    remove: removeUser,
  },
  {
    path: "/Groups",
    list: listGroups,
    get: getGroup,
    create: createDirectoryGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: removeDirectoryGroup,
  },
];

/**
 * Serves SCIM 2.0 (RFC 7643 and 7644), by which an organization's directory provisions its people and groups. It is not in the contract,
 * whose routes, errors and tokens are those of our own API: what is here is given by the protocol, for clients that nobody here writes.
 */
export function serveScim(app: FastifyInstance, deps: ProvisioningDeps): void {
  const { pagesAt } = deps;
  const scim: ScimDeps = { ...deps, base: () => pagesAt() + SCIM_PATH };
  const directories = new WeakMap<FastifyRequest, Directory>();
  const directoryOf = (request: FastifyRequest): Directory => {
    const directory = directories.get(request);
    if (!directory) throw new AppError("NOT_AUTHENTICATED");
    return directory;
  };

  void app.register(
    async (scope) => {
      readBodies(scope);
      scope.setErrorHandler((error: FastifyError, request, reply) => refuse(request, reply, error));
      // Before the body is read.
      scope.addHook("onRequest", async (request) => {
        const { organization, token } = await admitDirectory(deps, bearerTokenOf(request.headers.authorization));
        await deps.limiter.take(requestsOfDirectory, organization);
        const by = { kind: "provisioning", credential: token, organization } as const;
        const from = { address: request.clientAddress, requestId: request.id };
        directories.set(request, { organization, by: { ...by, ...from } });
      });
      serveDiscovery(scope, scim.base);
      for (const kind of kinds) serveKind(scope, kind, scim, directoryOf);
      const notImplemented = async () => {
        throw new ScimError(501, undefined, "This is not supported; ServiceProviderConfig says what is.");
      };
      for (const url of ["/Bulk", "/.search", "/Users/.search", "/Groups/.search"]) scope.post(url, notImplemented);
      scope.all("/Me", notImplemented);
      refuseOtherMethods(scope);
      // Not by a handler for what is not found: the web app has a page for every other path.
      for (const url of ["/", "/*"])
        scope.all(url, async () => {
          throw notFound();
        });
    },
    { prefix: SCIM_PATH },
  );
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Answers 405, with an `Allow` header, to the methods that a path does not have. */
function refuseOtherMethods(scope: FastifyInstance): void {
  const discovery = ["/ServiceProviderConfig", "/Schemas", "/Schemas/:id", "/ResourceTypes", "/ResourceTypes/:id"];
  const paths = [
    ...discovery.map((url) => ({ url, allowed: ["GET"] })),
    ...kinds.flatMap(({ path }) => [
      { url: path, allowed: ["GET", "POST"] },
      { url: `${path}/:id`, allowed: ["GET", "PUT", "PATCH", "DELETE"] },
    ]),
  ];
  for (const { url, allowed } of paths)
    scope.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: (_request, reply) => {
        void reply.header("allow", allowed.join(", "));
        throw new AppError("METHOD_NOT_ALLOWED");
      },
    });
}

function readBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([MEDIA_TYPE, "application/json"], { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body as string));
    } catch (error) {
      done(new ScimError(400, "invalidSyntax", "The body is not valid JSON.", error));
    }
  });
  // Some clients name a media type for a DELETE without a body.
  scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    body.length === 0 ? done(null, undefined) : done(mediaTypeError([MEDIA_TYPE])),
  );
}

function send(reply: FastifyReply, status: number, body?: object): FastifyReply {
  void reply.status(status);
  return body === undefined ? reply.send() : reply.type(`${MEDIA_TYPE}; charset=utf-8`).send(JSON.stringify(body));
}

function refuse(request: FastifyRequest, reply: FastifyReply, error: FastifyError | Error): FastifyReply {
  const known = asScimError(error) ?? asScimError(asAppError(error as FastifyError));
  if (!known) request.log.error({ err: error, reqId: request.id }, "request failed");
  const { retryAfterSeconds } = ((error as Partial<AppError>).facts ?? {}) as { retryAfterSeconds?: number };
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (known?.status === 401) void reply.header("www-authenticate", "Bearer");
  const shown = known ?? new ScimError(500, undefined, "An error occurred.");
  return send(reply, shown.status, errorBody(shown));
}

function serveDiscovery(scope: FastifyInstance, base: () => string): void {
  scope.get("/ServiceProviderConfig", async (_request, reply) => send(reply, 200, serviceProviderConfig(base())));
  const lists = { "/Schemas": schemas, "/ResourceTypes": resourceTypes };
  for (const [path, list] of Object.entries(lists)) {
    scope.get(path, async (request, reply) => {
      // RFC 7644, section 4: what is the same for everybody is not filtered.
      if (queryOf(request).filter !== undefined) throw new ScimError(403, undefined, "This list takes no filter.");
      return send(reply, 200, listOf(list(base())));
    });
    scope.get<{ Params: { id: string } }>(`${path}/:id`, async ({ params }, reply) => {
      const found = list(base()).find(({ id }) => id.toLowerCase() === params.id.toLowerCase());
      if (!found) throw notFound();
      return send(reply, 200, found);
    });
  }
}

function serveKind(
  scope: FastifyInstance,
  { path, list, get, create, replace, patch, remove }: Kind,
  deps: ScimDeps,
  directoryOf: (request: FastifyRequest) => Directory,
): void {
  type ById = { Params: { id: string } };
  const options = { bodyLimit: MAX_BODY_BYTES };
  const withMembers = ({ attributes, excludedattributes }: Query) =>
    (namesIn(attributes)?.has("members") ?? true) && !namesIn(excludedattributes)?.has("members");

  scope.get(path, async (request, reply) => {
    const query = queryOf(request);
    const { count: results, startindex, filter } = query;
    const asked = {
      startIndex: startindex,
      count: results,
      filter: filter === undefined ? undefined : parseFilter(filter),
      withMembers: withMembers(query),
    };
    const found = await list(deps, directoryOf(request), asked);
    return send(reply, 200, listOf(found.results.map(only(query)), found.count, startindex));
  });
  scope.post(path, options, async (request, reply) => {
    const created = await create(deps, directoryOf(request), request.body);
    void reply.header("location", `${deps.base()}${path}/${created.id}`);
    return send(reply, 201, only(queryOf(request))(created));
  });
  scope.get<ById>(`${path}/:id`, async (request, reply) => {
    const query = queryOf(request);
    const found = await get(deps, directoryOf(request), request.params.id, withMembers(query));
    return send(reply, 200, only(query)(found));
  });
  for (const [method, change] of [
    ["PUT", replace],
    ["PATCH", patch],
  ] as const)
    scope.route<ById>({
      method,
      url: `${path}/:id`,
      ...options,
      handler: async (request, reply) => {
        const query = queryOf(request);
        const changed = await change(deps, directoryOf(request), request.params.id, request.body);
        return send(reply, 200, only(query)(changed));
      },
    });
  scope.delete<ById>(`${path}/:id`, async (request, reply) => {
    await remove(deps, directoryOf(request), request.params.id);
    return send(reply, 204);
  });
}
