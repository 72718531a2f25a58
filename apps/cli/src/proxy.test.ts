import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { proxied, proxyOf, socketOptions } from "./proxy.ts";
import { startForwardProxy } from "./testing/forward-proxy.ts";

const there = "https://devices.example.com/cloud";

describe("the proxy on the way", () => {
  it.each<[env: Record<string, string>, address: string, proxy: string | undefined]>([
    [{ HTTPS_PROXY: "http://one:3128" }, there, "http://one:3128/"],
    [{ HTTPS_PROXY: "http://one", https_proxy: "two:1" }, there, "http://two:1/"],
    [{ HTTPS_PROXY: "http://one" }, "wss://devices.example.com", "http://one/"],
    [{ HTTPS_PROXY: "http://one" }, "http://devices.example.com", undefined],
    [{ HTTP_PROXY: "http://one" }, there, undefined],
    [{ HTTP_PROXY: "http://one" }, "ws://devices.example.com", "http://one/"],
    [{ ALL_PROXY: "https://one" }, there, "https://one/"],
    [{ HTTPS_PROXY: "", all_proxy: "http://all" }, there, "http://all/"],
    [{}, there, undefined],
    ...["http://localhost:8080", "ws://127.0.0.1:1", "http://127.1.2.3", "http://[::1]:80"].map(
      (address): [Record<string, string>, string, undefined] => [{ ALL_PROXY: "http://one" }, address, undefined],
    ),
  ])("with %j to %s is %s", (env, address, proxy) => {
    expect(proxyOf(address, env)?.href).toBe(proxy);
  });

  it.each([
    ["*", true],
    ["example.com", true],
    [".example.com", true],
    ["*.example.com", true],
    ["other.com, Devices.Example.com", true],
    ["other.com devices.example.com:443", true],
    ["devices.example.com:8443", false],
    ["vices.example.com", false],
    ["devices.example", false],
    ["", false],
  ])("is passed by for NO_PROXY=%s: %s", (no_proxy, isPassedBy) => {
    expect(proxyOf(there, { HTTPS_PROXY: "http://one", no_proxy }) === undefined).toBe(isPassedBy);
  });

  it("may be passed by for an address", () => {
    const env = { ALL_PROXY: "http://one", NO_PROXY: "10.1.2.3,fd00::1" };
    const addresses = ["https://10.1.2.3", "https://10.1.2.30", "https://[fd00::1]:81", "https://[fd00::11]"];
    expect(addresses.map((address) => proxyOf(address, env) === undefined)).toEqual([true, false, true, false]);
  });

  it.each(["socks5://one", "http://", "ftp://one"])("cannot be %s", (HTTPS_PROXY) => {
    expect(() => proxyOf(there, { HTTPS_PROXY })).toThrow(expect.objectContaining({ exit: "CONFIGURATION_ERROR" }));
  });
});

/** A service that is known as `devices.test`, which only the proxy can find, and a proxy that asks who one is. */
async function create() {
  const proxy = await startForwardProxy({ credentials: "robin:pass word" });
  onTestFinished(() => proxy.stop());
  const service = createServer((request, response) => response.end(`hello ${request.headers.host}`));
  const sockets = new WebSocketServer({ server: service });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => service.closeAllConnections());
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const env = (user = "robin:pass%20word@") => {
    const url = `http://${user}${proxy.address}`;
    return { HTTP_PROXY: url, HTTPS_PROXY: url };
  };
  return { proxy, host: `devices.test:${port}`, env };
}

const failureOf = (attempt: Promise<unknown>): Promise<Error> =>
  attempt.then(
    () => Promise.reject(new Error("it was done")),
    (error: Error) => error,
  );

const open = async (url: string, env: Record<string, string>) => {
  const socket = new WebSocket(url, { ...socketOptions(url, env), handshakeTimeout: 10_000 });
  await once(socket, "open");
  onTestFinished(() => socket.terminate());
  return socket;
};

describe("a proxy", () => {
  it("carries calls and sockets", async () => {
    const { proxy, host, env } = await create();
    const call = proxied(`http://${host}`, env(), () => Promise.reject(new Error("directly")));
    for (const body of ["one", new Blob(["two"])]) {
      const answer = await call(`http://${host}/`, { method: "POST", body });
      expect([answer.status, await answer.text()]).toEqual([200, `hello ${host}`]);
    }
    const socket = await open(`ws://${host}`, env());
    socket.send("echo");
    expect(String((await once(socket, "message"))[0])).toBe("echo");
    expect(new Set(proxy.tunnels)).toEqual(new Set([host]));
  });

  it("is not asked for what it is to be passed by for", async () => {
    const { proxy, env } = await create();
    expect(proxied("http://devices.test", { ...env(), NO_PROXY: ".test" }, fetch)).toBe(fetch);
    expect(socketOptions("ws://devices.test", { ...env(), NO_PROXY: ".test" })).toEqual({});
    expect(proxy.tunnels).toEqual([]);
  });

  it("that refuses, or is away, is no way to anything", async () => {
    const { host, env } = await create();
    const attempts = (env: Record<string, string>) => [
      proxied(`http://${host}`, env, fetch)(`http://${host}/`),
      open(`ws://${host}`, env),
    ];
    const [call, socket] = await Promise.all(attempts(env("mallory:x@")).map(failureOf));
    expect([call?.message, socket?.message]).toEqual(["fetch failed", "The proxy refuses with 407."]);
    const away = "http://127.0.0.1:1";
    for (const error of await Promise.all(attempts({ HTTP_PROXY: away, HTTPS_PROXY: away }).map(failureOf)))
      expect(error.message).toMatch(/fetch failed|ECONNREFUSED/);
  });

  it("leaves it to both ends who the service is", async () => {
    const { proxy, env } = await create();
    const names: string[] = [];
    const service = createSecureServer({
      key,
      cert,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    onTestFinished(() => void service.close());
    const host = `devices.test:${(service.address() as AddressInfo).port}`;
    const call = await failureOf(proxied(`https://${host}`, env(), fetch)(`https://${host}/`));
    const socket = await failureOf(open(`wss://${host}`, env()));
    // Nobody knows who has signed it.
    expect([(call.cause as { code: string }).code, (socket as { code?: string }).code]).toEqual([
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    ]);
    expect([names, proxy.tunnels]).toEqual([
      ["devices.test", "devices.test"],
      [host, host],
    ]);
  });
});

/** Of `devices.test`, for this test alone. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOXsAnZwkRJ5RRVzX
FVYkuq4etHIeQpfeubnEhAdIT5WhRANCAARcr5lbvaOP9VxH00pTVtj0ft+Y6quF
iM912ZVA7suvRvY9yiLttijqETqiyQDPY4lzod6oTfMmoBogMZpAwDy5
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUPLQUSkPN50upEynARKJEcGQZ9gEwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZGV2aWNlcy50ZXN0MCAXDTI2MTEyNDE0MzAzMloYDzIxMjYx
MDMxMTQzMDMyWjAXMRUwEwYDVQQDDAxkZXZpY2VzLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARcr5lbvaOP9VxH00pTVtj0ft+Y6quFiM912ZVA7suvRvY9
yiLttijqETqiyQDPY4lzod6oTfMmoBogMZpAwDy5o2wwajAdBgNVHQ4EFgQUxSDB
DIgOYvjCOlmwhFsrv6EdD6UwHwYDVR0jBBgwFoAUxSDBDIgOYvjCOlmwhFsrv6Ed
D6UwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxkZXZpY2VzLnRlc3QwCgYI
KoZIzj0EAwIDSQAwRgIhAIMwWHoj4m46+ygcpyYUXlaYeeBBh3ScCUK2JCK8Rd2t
AiEAzNcV4FPotudIqvDpqbBwHnFpCIzYzB8SCelRHN6ANZM=
-----END CERTIFICATE-----`;
