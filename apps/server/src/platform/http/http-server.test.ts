import { ShiftedClock, TestClock } from "@terrarium/clock";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer, type HttpOptions } from "./http-server.ts";

/** A server without routes, and what it logs. */
async function serve(options: Partial<HttpOptions> = {}) {
  const lines: { msg: string; address?: string }[] = [];
  const log = createLog("warn", "test", { write: (line) => void lines.push(JSON.parse(line)) });
  const app = await createHttpServer({ clock: new TestClock(), log, trustedProxies: [], ...options });
  app.get("/ip", ({ clientAddress }) => clientAddress);
  onTestFinished(() => app.close());
  return { app, lines };
}

/** The reply to a request of these lines, head and body. */
async function reply(app: FastifyInstance, ...lines: string[]): Promise<string> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as { port: number }).port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\nConnection: close, upgrade\r\n\r\n`);
  return text(socket);
}

it.each([
  ["http://elsewhere.test/cloud/url?a=b", "/cloud/url?a=b"],
  ["HTTPS://elsewhere.test:8443/cloud/url", "/cloud/url"],
  ["http://elsewhere.test?/cloud/url", "/?/cloud/url"],
  ["http://elsewhere.test", "/"],
])("the target %s, as a proxy is sent, is that of %s", async (target, path) => {
  const { app } = await serve();
  app.get("/cloud/url", ({ url }) => url).get("/", ({ url }) => url);
  const answer = await reply(app, `GET ${target} HTTP/1.1`, "Host: a");
  expect(answer.split("\r\n\r\n")[1]).toBe(path);
  expect(answer.includes("cache-control: no-store")).toBe(path.startsWith("/cloud"));
});

it("answers a client that would rather speak HTTP/2", async () => {
  const { app } = await serve();
  app.server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 426 Upgrade Required\r\n\r\n"));
  expect(await reply(app, "GET /ip HTTP/1.1", "Host: a", "Upgrade: h2c")).toMatch(/^HTTP\/1.1 200 /);
});

describe("the Host header", () => {
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  it.each([
    ["one", "Host: a\r\n", "200"],
    ["two", "Host: a\r\nHost: b\r\n", "400"],
    ["two that are equal", "Host: a\r\nhOST: a\r\n", "400"],
    ["two of an upgrade", `Host: a\r\nHost: b\r\n${upgrade}`, "400"],
    ["one of an upgrade", `Host: a\r\n${upgrade}`, "426"],
  ])("%s", async (_, headers, status) => {
    const { app } = await serve();
    app.server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 426 Upgrade Required\r\n\r\n"));
    await app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect((app.server.address() as { port: number }).port, "127.0.0.1");
    socket.write(`GET /ip HTTP/1.1\r\n${headers}\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(head.toString().slice(9, 12)).toBe(status);
  });
});

describe("a reply", () => {
  it.each(["plain", "Größe", "🌿", "\u0000", ""])("%j arrives whole", async (text) => {
    const { app } = await serve();
    app.get("/text", () => text);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    expect(await (await fetch(`${url}/text`)).text()).toBe(text);
  });

  it("names its request and must not be stored, also when it is an error", async () => {
    const { app } = await serve();
    const { headers, statusCode } = await app.inject("/cloud/none");
    expect([statusCode, headers["cache-control"]]).toEqual([404, "no-store"]);
    expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });
});

it("tells the service's time where an operator has moved it", async () => {
  const clock = new ShiftedClock(new TestClock());
  const { app } = await serve({ clock });
  const date = async () => Date.parse(String((await app.inject("/cloud/none")).headers.date));
  expect(await date()).toBeCloseTo(Date.now(), -4);
  clock.shiftTo(7 * 24 * 60 * 60 * 1000);
  expect(await date()).toBeCloseTo(clock.now(), -4);
});

describe("security headers", () => {
  const headersOf = async (publicUrl?: string, connectsTo?: string[]) =>
    (await (await serve({ publicUrl, connectsTo })).app.inject("/")).headers;
  const connections = (headers: Awaited<ReturnType<typeof headersOf>>) =>
    /connect-src ([^;]*)/.exec(String(headers["content-security-policy"]))?.[1];

  it("let pages connect to their own server only", async () => {
    expect(connections(await headersOf())).toBe("'self'");
    expect(connections(await headersOf("https://devices.example/x"))).toBe("'self' wss://devices.example");
    expect(connections(await headersOf("http://10.0.0.7:8080"))).toBe("'self' ws://10.0.0.7:8080");
    expect(connections(await headersOf(undefined, ["https://status.example"]))).toBe("'self' https://status.example");
  });

  it("let pages show pictures of others only where people's are asked for", async () => {
    const images = async (avatarUrl?: string) => {
      const { headers } = await (await serve({ avatarUrl })).app.inject("/");
      return /img-src ([^;]*)/.exec(String(headers["content-security-policy"]))?.[1];
    };
    expect(await images()).toBe("'self' data: blob:");
    expect(await images("https://avatars.example/a/")).toBe("'self' data: blob: https://avatars.example");
  });

  it("let pages run their own scripts only, and others neither frame nor guess them", async () => {
    const { "content-security-policy": policy, ...headers } = await headersOf();
    expect(String(policy).split(";")).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "script-src-attr 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect([headers["x-content-type-options"], headers["referrer-policy"]]).toEqual(["nosniff", "no-referrer"]);
  });

  it("demand https where the public URL has it", async () => {
    expect((await headersOf("https://devices.example"))["strict-transport-security"]).toBe("max-age=31536000");
    expect((await headersOf("http://devices.example"))["strict-transport-security"]).toBeUndefined();
    expect((await headersOf())["strict-transport-security"]).toBeUndefined();
  });
});

describe("a proxy", () => {
  const forwarded = { "x-forwarded-for": "203.0.113.9" };

  it("is reported for each address, up to fifty", async () => {
    const { app, lines } = await serve();
    for (const remoteAddress of ["10.0.0.1", "10.0.0.2", "10.0.0.1", "2001:db8::1", "2001:db8::2"])
      await app.inject({ url: "/ip", headers: forwarded, remoteAddress });
    expect(lines.map(({ address }) => address)).toEqual(["10.0.0.1", "10.0.0.2", "2001:db8::1"]);
    for (let index = 0; index < 60; index++)
      await app.inject({ url: "/ip", headers: forwarded, remoteAddress: `10.0.1.${index}` });
    expect(lines).toHaveLength(50);
  });

  it("that nobody declared is reported once, and its clients' addresses are not believed", async () => {
    const { app, lines } = await serve({ trustedProxies: ["10.0.0.0/8"] });
    expect((await app.inject("/ip")).body).toBe("127.0.0.1");
    expect(lines).toEqual([]);
    for (let count = 0; count < 3; count++)
      expect((await app.inject({ url: "/ip", headers: forwarded })).body).toBe("127.0.0.1");
    expect(lines).toEqual([expect.objectContaining({ address: "127.0.0.1" })]);
    expect(lines[0]?.msg).toContain("TERRARIUM_TRUSTED_PROXIES");
  });

  it("that was declared is not reported", async () => {
    const { app, lines } = await serve({ trustedProxies: ["127.0.0.0/8"] });
    expect((await app.inject({ url: "/ip", headers: forwarded })).body).toBe("203.0.113.9");
    const withPort = { "x-forwarded-for": "203.0.113.9:5678" };
    expect((await app.inject({ url: "/ip", headers: withPort })).body).toBe("203.0.113.9");
    expect(lines).toEqual([]);
  });
});
