import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { ProxyAgent } from "undici";
import type { ClientOptions } from "ws";
import { Failure } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

/** How long a proxy may take to connect. */
const CONNECT_MS = 10_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

type Env = Terminal["env"];

/**
 * The proxy on the way to an address, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in small letters too, which come first as in
 * curl. This machine is never reached through a proxy. Throws a Failure if a proxy is set that is not for HTTP.
 */
export function proxyOf(address: string, env: Env): URL | undefined {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = /^(https|wss):$/.test(protocol);
  const named = (name: string) => env[name.toLowerCase()] ?? env[name];
  const given = named(isSecure ? "HTTPS_PROXY" : "HTTP_PROXY") || named("ALL_PROXY");
  if (!given || LOOPBACK.test(hostname)) return undefined;
  const target = { host: hostname.replaceAll(/[[\]]/g, ""), port: port || (isSecure ? "443" : "80") };
  if ((named("NO_PROXY") ?? "").split(/[\s,]+/).some((pattern) => isExempt(target, pattern))) return undefined;
  const url = given.includes("://") ? given : `http://${given}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure("CONFIGURATION_ERROR", "The proxy that is set is no http:// or https:// address.");
  return new URL(url);
}

/** `*`, a host, a domain with all below it, with or without a dot in front, each with a port or without. */
function isExempt({ host, port }: { host: string; port: string }, pattern: string): boolean {
  if (pattern === "*") return true;
  const [, domain = "", only] =
    /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(isIP(pattern) ? `.${pattern}:${port}` : pattern) ?? [];
  const name = domain.replaceAll(/[[\]]/g, "").toLowerCase();
  return name !== "" && (only === undefined || only === port) && (host === name || host.endsWith(`.${name}`));
}

/**
 * `fetch` for a service, by way of the proxy that is set for it. Its code is loaded with the first call. Throws a Failure if a proxy is set
 * that is not for HTTP.
 */
export function proxied(service: string, env: Env, direct: typeof fetch): typeof fetch {
  const proxy = proxyOf(service, env);
  if (!proxy) return direct;
  let dispatcher: ProxyAgent | undefined;
  return async (input, init) => {
    // Node's own takes no proxy before 24, and a dispatcher of its own version only.
    const undici = await import("undici");
    dispatcher ??= new undici.ProxyAgent(proxy.href);
    return undici.fetch(input as string, { ...init, dispatcher } as object) as unknown as Promise<Response>;
  };
}

/** Options for a WebSocket to an address, so that it goes by way of the proxy that is set for it. */
export function socketOptions(address: string, env: Env): ClientOptions {
  const proxy = proxyOf(address, env);
  if (!proxy) return {};
  const target = new URL(address);
  const createConnection = (_: unknown, done: (error: Error | null, socket?: Socket) => void) => {
    connectBy(proxy, target).then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    );
    return undefined;
  };
  return { createConnection } as unknown as ClientOptions;
}

/** A connection to the target through the tunnel that a proxy makes for CONNECT (RFC 9110, 9.3.6), with TLS if the target has it. */
function connectBy(proxy: URL, target: URL): Promise<Socket> {
  const isSecure = target.protocol === "wss:";
  const path = `${target.hostname}:${target.port || (isSecure ? 443 : 80)}`;
  const name = decodeURIComponent(proxy.username);
  const credentials = Buffer.from(`${name}:${decodeURIComponent(proxy.password)}`).toString("base64");
  const headers = { host: path, ...(name && { "proxy-authorization": `Basic ${credentials}` }) };
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? requestSecure : requestPlain)({
      host: proxy.hostname.replaceAll(/[[\]]/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path,
      headers,
      agent: false,
      timeout: CONNECT_MS,
    });
    request.on("timeout", () => request.destroy(new Error("The proxy does not answer.")));
    request.on("error", reject);
    request.on("response", (response) => {
      response.destroy();
      reject(new Error(`The proxy refuses with ${response.statusCode}.`));
    });
    request.on("connect", ({ statusCode }, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode !== 200) {
        socket.destroy();
        return reject(new Error(`The proxy refuses with ${statusCode}.`));
      }
      if (!isSecure) return resolve(socket);
      const { hostname } = target;
      const secure = connectSecure({ socket, servername: isIP(hostname.replaceAll(/[[\]]/g, "")) ? "" : hostname });
      secure.once("secureConnect", () => resolve(secure));
      secure.once("error", reject);
    });
    request.end();
  });
}
