import { KubeConfig, type V1Node, type V1Pod } from "@kubernetes/client-node";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";

interface Resource {
  kind?: string;
  apiVersion?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
  };
  spec?: V1Pod["spec"] & { podSelector?: object };
  status?: unknown;
}
interface Happened {
  version: number;
  collection: string;
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: Resource;
}

/** How many events are retained; whoever asks for older ones has to begin anew. */
const MAX_HAPPENED = 1000;
const POD = /\/namespaces\/([^/]+)\/pods\/([^/]+)\/(\w+)$/;
const DNS_NAME = /^[a-z\d]([a-z\d-]{0,251}[a-z\d])?$/;
const LABEL_VALUE = /^([a-z\d]([\w.-]{0,61}[a-z\d])?)?$/i;

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The API of a cluster in memory: Pods, nodes and network policies with their versions and conflicts, lists and watches, and the ways into
 * containers, which lead to the kubelet of a Pod's node. What it does not know it refuses.
 */
export class FakeApiServer {
  readonly #stored = new Map<string, Map<string, Resource>>();
  readonly #happened: Happened[] = [];
  readonly #watchers = new Set<{ collection: RegExp; selector: string; response: ServerResponse }>();
  readonly #namespaces = new Map<string, string>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #version = 1;
  /** How many Pods a namespace may have. */
  quota = Infinity;
  /** There are no kubelets, for which Pods that are deleted would wait. */
  hasKubelets = true;
  /** It answers nothing. */
  isAway = false;
  /** What its caller may not write. */
  refuses: string | undefined;

  async start(): Promise<KubeConfig> {
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      { name: "fake", server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
      { name: "user" },
    );
    return config;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Watches break, and the events until now are not sent any more. */
  forget(): void {
    this.#happened.length = 0;
    for (const { response } of this.#watchers) response.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) return void request.socket.destroy();
    const url = new URL(request.url ?? "/", "http://fake");
    const answer = (code: number, body: unknown) =>
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      const body = request.method === "GET" ? undefined : await json(request).catch(() => undefined);
      if (url.searchParams.get("watch") === "true") return this.#watch(url, response);
      if (url.pathname.endsWith("/log")) return this.#log(url, response);
      answer(
        request.method === "POST" ? 201 : 200,
        this.#do(request.method ?? "GET", url, body as Resource | undefined),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      answer(code, { kind: "Status", apiVersion: "v1", status: "Failure", message, code });
    }
  }

  #do(method: string, { pathname, searchParams }: URL, body: Resource | undefined): unknown {
    const path = pathname.split("/").filter(Boolean);
    // After `api/v1` or `apis/<group>/v1`.
    const [first = "", namespace = "", ...rest] = path.slice(path[0] === "api" ? 2 : 3);
    if (first !== "namespaces")
      return this.#doIn(method, first, [namespace, ...rest].filter(Boolean), body, searchParams);
    const [kind, ...more] = rest;
    if (kind !== undefined) return this.#doIn(method, `${namespace}/${kind}`, more, body, searchParams);
    const uid = this.#namespaces.get(namespace) ?? randomUUID();
    this.#namespaces.set(namespace, uid);
    return { kind: "Namespace", apiVersion: "v1", metadata: { name: namespace, uid } };
  }

  #doIn(
    method: string,
    collection: string,
    [name, part]: string[],
    body: Resource | undefined,
    query: URLSearchParams,
  ) {
    const selector = query.get("labelSelector") ?? "";
    if (method !== "GET" && this.refuses !== undefined && collection.endsWith(this.refuses))
      throw new Refusal(403, `${this.refuses} is forbidden`);
    if (name === undefined && method === "GET") {
      const items = this.#list(new RegExp(`(^|/)${collection}$`)).filter((one) => matches(one, selector));
      return { kind: "List", apiVersion: "v1", metadata: { resourceVersion: String(this.#version) }, items };
    }
    if (name === undefined && method === "POST") return this.#create(collection, body!);
    const found = this.#in(collection).get(name ?? "");
    if (!found) throw new Refusal(404, `${collection} "${name}" not found`);
    if (method === "GET" && part === undefined) return found;
    if (method === "POST" && part === "binding") return this.#bind(collection, found, body!);
    if (method === "PUT") return this.#replace(collection, found, body!, part);
    if (method === "DELETE") return this.#delete(collection, found, body as never);
    throw new Refusal(405, `${method} ${part} is not known`);
  }

  #create(collection: string, body: Resource): Resource {
    const { metadata } = body;
    const { name } = metadata;
    if (!DNS_NAME.test(name)) throw new Refusal(422, `metadata.name: Invalid value: "${name}"`);
    for (const value of Object.values(metadata.labels ?? {}))
      if (!LABEL_VALUE.test(value)) throw new Refusal(422, `metadata.labels: Invalid value: "${value}"`);
    const all = this.#in(collection);
    if (all.has(name)) throw new Refusal(409, `${collection} "${name}" already exists`);
    if (collection.endsWith("/pods") && all.size >= this.quota)
      throw new Refusal(403, `pods "${name}" is forbidden: exceeded quota: devices`);
    const [namespace = ""] = collection.includes("/") ? collection.split("/") : [];
    const status = body.status ?? { phase: "Pending" };
    const made = { ...body, status, metadata: { ...metadata, namespace, uid: randomUUID(), resourceVersion: "" } };
    return this.#write(collection, "ADDED", made);
  }

  #bind(collection: string, found: Resource, { target }: { target?: { name: string } } & object): Resource {
    if (found.spec?.nodeName !== undefined) throw new Refusal(409, "it is assigned to a node already");
    return this.#write(collection, "MODIFIED", {
      ...found,
      spec: Object.assign({}, found.spec, { nodeName: target!.name }),
    });
  }

  #replace(collection: string, found: Resource, body: Resource, part: string | undefined): Resource {
    const { resourceVersion } = body.metadata;
    if (resourceVersion && resourceVersion !== found.metadata.resourceVersion)
      throw new Refusal(409, "the object has been modified; please apply your changes to the latest version");
    const next =
      part === "status"
        ? { ...found, status: body.status }
        : { ...body, metadata: { ...found.metadata, labels: body.metadata.labels ?? {} } };
    return this.#write(collection, "MODIFIED", next);
  }

  /** A Pod on a node is removed by its kubelet; until then it says that it is being removed. */
  #delete(
    collection: string,
    found: Resource,
    options: { gracePeriodSeconds?: number; preconditions?: { uid?: string } } = {},
  ) {
    const { metadata, spec } = found;
    const { uid } = options.preconditions ?? {};
    if (uid !== undefined && uid !== metadata.uid) throw new Refusal(409, "the UID in the precondition does not match");
    const grace = options.gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
    if (!collection.endsWith("/pods") || spec?.nodeName === undefined || grace === 0 || !this.hasKubelets) {
      this.#in(collection).delete(metadata.name);
      return this.#publish(collection, "DELETED", found);
    }
    const deletionTimestamp = metadata.deletionTimestamp ?? new Date(0).toISOString();
    const next = { ...found, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: grace } };
    return this.#write(collection, "MODIFIED", next);
  }

  #write(collection: string, type: Happened["type"], object: Resource): Resource {
    const published = this.#publish(collection, type, object);
    this.#in(collection).set(published.metadata.name, published);
    return published;
  }

  #publish(collection: string, type: Happened["type"], object: Resource): Resource {
    const version = ++this.#version;
    const published = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const happened = { version, collection, type, object: published };
    if (this.#happened.push(happened) > MAX_HAPPENED) this.#happened.shift();
    for (const watcher of this.#watchers) notifyWatcher(watcher, happened);
    return published;
  }

  #watch({ pathname, searchParams }: URL, response: ServerResponse): void {
    const path = pathname.replace(/^\/apis?\/v1\//, "").replace(/^namespaces\//, "");
    const selector = searchParams.get("labelSelector") ?? "";
    const watcher = { collection: new RegExp(`(^|/)${path}$`), selector, response };
    const since = Number(searchParams.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (since < this.#version && since + 1 < (this.#happened[0]?.version ?? this.#version + 1)) {
      const object = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
      return void response.end(`${JSON.stringify({ type: "ERROR", object })}\n`);
    }
    for (const one of this.#happened) if (one.version > since) notifyWatcher(watcher, one);
    this.#watchers.add(watcher);
    response.on("close", () => this.#watchers.delete(watcher));
  }

  #list(collection: RegExp): Resource[] {
    return [...this.#stored].filter(([name]) => collection.test(name)).flatMap(([, all]) => [...all.values()]);
  }

  #in(collection: string): Map<string, Resource> {
    const all = this.#stored.get(collection) ?? new Map<string, Resource>();
    this.#stored.set(collection, all);
    return all;
  }

  /** Where the kubelet answers that has a Pod. */
  #kubeletOf(namespace: string, name: string): { host: string; port: number } | undefined {
    const pod = this.#in(`${namespace}/pods`).get(name);
    const node = this.#in("nodes").get(pod?.spec?.nodeName ?? "") as V1Node | undefined;
    const port = node?.status?.daemonEndpoints?.kubeletEndpoint?.Port;
    return port === undefined ? undefined : { host: "127.0.0.1", port };
  }

  #log({ pathname, searchParams }: URL, response: ServerResponse): void {
    const [, namespace = "", name = ""] = POD.exec(pathname) ?? [];
    const kubelet = this.#kubeletOf(namespace, name);
    if (!kubelet) return void response.writeHead(404).end();
    const path = `/containerLogs/${namespace}/${name}/${searchParams.get("container")}?${searchParams}`;
    ask({ ...kubelet, path }, (said) =>
      said.pipe(response.writeHead(said.statusCode ?? 500, { "content-type": "text/plain" })),
    ).end();
  }

  /** As the API does: what the client and the kubelet speak it only passes on. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake");
    const [, namespace = "", name = "", what = ""] = POD.exec(pathname) ?? [];
    const kubelet = this.#kubeletOf(namespace, name);
    if (!kubelet) return void socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    const words = new URLSearchParams(searchParams.getAll("command").map((word) => ["command", word]));
    for (const port of searchParams.getAll("ports")) words.append("port", port);
    const container = what === "exec" ? `/${searchParams.get("container")}` : "";
    const path = `/${what === "exec" ? what : "portForward"}/${namespace}/${name}${container}?${words}`;
    const upstream = connect(kubelet.port, kubelet.host, () => {
      const headers = request.rawHeaders.map((word, at) => (at % 2 === 0 ? `${word}: ` : `${word}\r\n`)).join("");
      upstream.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }
}

function notifyWatcher(
  { collection, selector, response }: { collection: RegExp; selector: string; response: ServerResponse },
  { collection: where, type, object }: Happened,
): void {
  if (collection.test(where) && matches(object, selector)) response.write(`${JSON.stringify({ type, object })}\n`);
}

/** `one=value,another` */
const matches = ({ metadata: { labels = {} } }: Resource, selector: string): boolean =>
  selector.split(",").every((part) => {
    const [name = "", value] = part.split("=");
    return part === "" || (value === undefined ? name in labels : labels[name] === value);
  });
