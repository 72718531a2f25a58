import { AppError, routes, wireOf } from "@terrarium/contract";
import { clientOf } from "@terrarium/sdk";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { type Handlers, type HandlersOf, implementAll } from "./implement.ts";

const things = routes({
  webhook: {
    method: "POST",
    path: "/v1/webhook",
    summary: "Takes bytes",
    access: "public",
    body: { kind: "raw", types: ["application/json", "text/plain"] },
    maxBodyBytes: 1000,
    reply: z.object({ base64: z.string() }),
  },
  upload: {
    method: "POST",
    path: "/v1/uploads",
    summary: "Takes a form",
    access: "signed-in",
    body: {
      kind: "form",
      fields: z.object({ title: z.string().min(1), tags: z.array(z.string()).optional() }),
      files: { photos: { min: 1, max: 2, maxBytes: 1000, types: ["image/png"] }, note: { max: 1, maxBytes: 10 } },
    },
    reply: z.object({ title: z.string(), tags: z.array(z.string()).optional(), files: z.array(z.string()) }),
  },
  rename: {
    method: "PATCH",
    path: "/v1/things/:name",
    summary: "Takes a little JSON",
    access: "public",
    params: z.object({ name: z.string() }),
    body: z.object({ name: z.string() }),
    maxBodyBytes: 100,
    reply: z.object({ was: z.string(), is: z.string() }),
  },
  report: {
    method: "GET",
    path: "/v1/report",
    summary: "Gives bytes",
    access: "public",
    query: z.object({ type: z.enum(["text/csv", "application/pdf", "image/png"]) }),
    reply: { kind: "bytes", types: ["text/csv", "application/pdf"] },
  },
  stream: {
    method: "GET",
    path: "/v1/stream",
    summary: "Gives bytes bit by bit",
    access: "public",
    reply: { kind: "bytes", types: ["text/csv"] },
  },
  open: {
    method: "GET",
    path: "/v1/open",
    summary: "Sends on",
    access: "public",
    reply: { kind: "redirect", status: 302 },
  },
  sent: {
    method: "POST",
    path: "/v1/sent",
    summary: "Sends on after a form",
    access: "public",
    reply: { kind: "redirect", status: 303 },
  },
});
const contract = { things };
const wire = {
  webhook: wireOf(things.webhook),
  upload: wireOf(things.upload),
  rename: wireOf(things.rename),
  report: wireOf(things.report),
  stream: wireOf(things.stream),
  open: wireOf(things.open),
  sent: wireOf(things.sent),
};
const elsewhere = "https://elsewhere.example/in?state=1";

/** A real server with these routes on a free port, and a client of it. */
async function serve(stream: () => AsyncIterable<Uint8Array> = async function* () {}) {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-http-"));
  vi.stubEnv("TMPDIR", folder);
  const uploads: unknown[] = [];
  const handlers: Handlers<typeof things, string> = {
    webhook: ({ body }) => ({ base64: Buffer.from(body).toString("base64") }),
    upload: async ({ body: { fields, files }, actor }) => {
      uploads.push(actor);
      const all = [...files.photos, ...files.note];
      const texts = all.map(
        async (file) => `${file.name} ${file.type} ${file.bytes} ${await readFile(file.path, "utf8")}`,
      );
      return { ...fields, files: await Promise.all(texts) };
    },
    rename: ({ params, body }) => ({ was: params.name, is: body.name }),
    report: ({ query: { type } }) => ({
      type: type as "text/csv",
      fileName: 'Größe "1".csv',
      content: Buffer.from("a,b\r\n"),
    }),
    stream: () => ({ type: "text/csv", fileName: "all.csv", content: stream() }),
    open: () => elsewhere,
    sent: () => elsewhere,
  };
  const app = await createHttpServer({ log: createLog("silent", "test"), trustedProxies: [] });
  const guard = {
    admit: async ({ headers }: { headers: { authorization?: string | undefined } }) => {
      if (!headers.authorization) throw new AppError("NOT_AUTHENTICATED");
      return "robin";
    },
  };
  implementAll(app, contract, { guard, publicUrl: undefined }, { things: handlers });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const { port } = app.server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = clientOf<typeof contract>({ things: wire }, { baseUrl, token: () => "t" });
  return { app, port, client: client.things, uploads, url: `${baseUrl}/cloud`, leftovers: () => readdir(folder) };
}

interface Init extends Omit<RequestInit, "headers"> {
  headers?: Record<string, string>;
  duplex?: "half";
}

/** A route's answer to a call that no client of ours would send. */
async function answerOf(url: string, init: Init) {
  const response = await fetch(url, { ...init, headers: { authorization: "Bearer t", ...init.headers } });
  const { code, message, fields } = (await response.json()) as Pick<AppError, "code" | "message" | "fields">;
  return { status: response.status, code, message, fields };
}

const png = (text: string, name = "a.png") => new File([text], name, { type: "image/png" });

/** A form as a browser sends it: text by name, and files. */
function formWith(entries: [string, string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

describe("a raw body", () => {
  it("comes byte for byte, whatever is in it", async () => {
    const { client } = await serve();
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index);
    const given = await client.webhook({ body: bytes });
    expect(given.base64).toBe(Buffer.from(bytes).toString("base64"));
    const text = await client.webhook({ body: new Blob([' {"a": 1 }\n'], { type: "text/plain" }) });
    expect(Buffer.from(text.base64, "base64").toString()).toBe(' {"a": 1 }\n');
  });

  it("may be empty", async () => {
    const { client, url } = await serve();
    expect((await client.webhook({ body: new Uint8Array() })).base64).toBe("");
    expect(await (await fetch(`${url}/v1/webhook`, { method: "POST" })).json()).toEqual({ base64: "" });
  });

  it("is refused when it is too large, said or not", async () => {
    const { url } = await serve();
    const headers = { "content-type": "application/json" };
    const body = "x".repeat(1001);
    const refused = { status: 413, code: "BODY_TOO_LARGE" };
    expect(await answerOf(`${url}/v1/webhook`, { method: "POST", headers, body })).toMatchObject(refused);
    const unsaid: Init = { method: "POST", headers, body: new Blob([body]).stream(), duplex: "half" };
    expect(await answerOf(`${url}/v1/webhook`, unsaid)).toMatchObject(refused);
  });

  it("is refused in a media type that the route does not take", async () => {
    const { url } = await serve();
    const sent = { method: "POST", headers: { "content-type": "application/xml" }, body: "<a/>" };
    expect(await answerOf(`${url}/v1/webhook`, sent)).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "Send application/json or text/plain.",
    });
  });
});

describe("a form", () => {
  it("brings its fields, and its files until the call is answered", async () => {
    const { client, leftovers } = await serve();
    const given = await client.upload({
      body: {
        fields: { title: "Ferns", tags: ["a", "b"] },
        files: {
          photos: [png("one", "../Größe.png"), png("two")],
          note: [new File(["n"], "n.txt", { type: "text/plain" })],
        },
      },
    });
    expect(given).toEqual({
      title: "Ferns",
      tags: ["a", "b"],
      files: ["Größe.png image/png 3 one", "a.png image/png 3 two", "n.txt text/plain 1 n"],
    });
    expect(await leftovers()).toEqual([]);
  });

  it("takes a file that is just as large as may be", async () => {
    const { client } = await serve();
    const files = { photos: [png("x".repeat(1000))] };
    expect((await client.upload({ body: { fields: { title: "t" }, files } })).files).toHaveLength(1);
  });

  const title: [string, string] = ["title", "t"];
  const one: [string, File] = ["photos", png("1")];
  it.each<[string, [string, string | File][], number, string, string?]>([
    ["a file that is too large", [title, ["photos", png("x".repeat(1001))]], 413, "BODY_TOO_LARGE", "photos"],
    [
      "a small field's file that is too large",
      [title, one, ["note", png("x".repeat(11))]],
      413,
      "BODY_TOO_LARGE",
      "note",
    ],
    ["too many files", [title, one, one, one], 400, "invalid_request", "photos"],
    ["too many in all", [title, one, one, ["note", png("1")], one], 400, "invalid_request", "photos"],
    ["no file where there must be one", [title], 400, "invalid_request", "photos"],
    ["a file nobody asked for", [title, one, ["virus", png("1")]], 400, "invalid_request", "virus"],
    [
      "a file of another type",
      [title, ["photos", new File(["1"], "a.gif", { type: "image/gif" })]],
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["a text that is too long", [["title", "x".repeat(70_000)], one], 413, "BODY_TOO_LARGE", "title"],
    ["a text that its schema refuses", [["title", ""], one], 400, "invalid_request", "title"],
    ["too many texts", [...Array.from({ length: 101 }, () => title), one], 413, "BODY_TOO_LARGE"],
    ["a name of every object", [title, one, ["__proto__", "1"]], 400, "invalid_request"],
  ])("is refused with %s, and leaves nothing", async (_, entries, status, code, field) => {
    const { url, uploads, leftovers } = await serve();
    const answer = await answerOf(`${url}/v1/uploads`, { method: "POST", body: formWith(entries) });
    expect([answer.status, answer.code, answer.fields?.[0]?.field]).toEqual([status, code, field]);
    expect([uploads, await leftovers()]).toEqual([[], []]);
  });

  it("is refused before it is read when it says that it is larger than may be", async () => {
    const { port, leftovers } = await serve();
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(head({ "content-type": "multipart/form-data; boundary=b", "content-length": "99000000" }));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    ["JSON", { "content-type": "application/json" }, "{}", 415],
    ["no boundary", { "content-type": "multipart/form-data" }, "--b--", 400],
    ["no end", { "content-type": "multipart/form-data; boundary=b" }, `--b\r\n${fileHead("photos")}abc`, 400],
  ])("is refused with %s", async (_, headers, body, status) => {
    const { url, uploads, leftovers } = await serve();
    expect((await answerOf(`${url}/v1/uploads`, { method: "POST", headers, body })).status).toBe(status);
    expect([uploads, await leftovers()]).toEqual([[], []]);
  });

  it("is not read when its sender may not send it", async () => {
    const { url, leftovers } = await serve();
    const body = formWith([title, one]);
    expect((await fetch(`${url}/v1/uploads`, { method: "POST", body })).status).toBe(401);
    expect(await leftovers()).toEqual([]);
  });

  it("leaves nothing when its sender stops in the middle", async () => {
    const { app, port, uploads, leftovers } = await serve();
    const came = once(app.server, "request") as Promise<[IncomingMessage]>;
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(head({ "content-type": "multipart/form-data; boundary=b", "content-length": "900" }));
    socket.write(`--b\r\n${fileHead("photos")}half of it`);
    const [request] = await came;
    await vi.waitFor(async () => expect(await leftovers()).toHaveLength(1));
    const closed = new Promise((resolve) => request.once("close", resolve));
    socket.destroy();
    await closed;
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]));
    expect(uploads).toEqual([]);
  });
});

const head = (headers: Record<string, string>): string => {
  const lines = Object.entries({ host: "x", authorization: "Bearer t", ...headers }).map((pair) => pair.join(": "));
  return `POST /cloud/v1/uploads HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
};
function fileHead(name: string): string {
  return `Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
}

describe("a JSON body", () => {
  it("is taken by PATCH, from other origins too, up to its route's own size", async () => {
    const { client, url } = await serve();
    expect(await client.rename({ params: { name: "a" }, body: { name: "b" } })).toEqual({ was: "a", is: "b" });
    const body = JSON.stringify({ name: "x".repeat(100) });
    const headers = { "content-type": "application/json" };
    const refused = await answerOf(`${url}/v1/things/a`, { method: "PATCH", headers, body });
    expect(refused).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
    const asked = { origin: "https://clients.example", "access-control-request-method": "PATCH" };
    const preflight = await fetch(`${url}/v1/things/a`, { method: "OPTIONS", headers: asked });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
  });

  it("is not a form", async () => {
    const { url } = await serve();
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const answer = await answerOf(`${url}/v1/things/a`, { method: "PATCH", headers, body: "--b--" });
    expect(answer).toMatchObject({ status: 415, message: "Send application/json." });
  });
});

describe("a reply of bytes", () => {
  it("has its media type, its length and a name to save it under", async () => {
    const { client } = await serve();
    const response = await client.report({ query: { type: "application/pdf" } });
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-length")).toBe("5");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="Gr__e _1_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.csv`,
    );
    expect(await response.text()).toBe("a,b\r\n");
  });

  it("is of a media type that its contract names", async () => {
    const { client } = await serve();
    await expect(client.report({ query: { type: "image/png" } })).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });

  it("is an error like any other where the call is wrong", async () => {
    const { client } = await serve();
    await expect(client.report({ query: { type: "x" as "text/csv" } })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("comes bit by bit", async () => {
    const { client } = await serve(async function* () {
      yield Buffer.from("a,");
      await setImmediate();
      yield Buffer.from("b");
    });
    const response = await client.stream();
    expect(response.headers.get("content-disposition")).toContain('filename="all.csv"');
    expect(await response.text()).toBe("a,b");
  });

  it("is made no faster than it is taken, and no longer once its reader has left", async () => {
    let made = 0;
    const stopped = Promise.withResolvers<void>();
    const { port } = await serve(async function* () {
      try {
        for (; made < 2000; made++) yield Buffer.alloc(64 * 1024);
      } finally {
        stopped.resolve();
      }
    });
    const socket = connect({ port, host: "127.0.0.1" });
    socket.pause();
    socket.write("GET /cloud/v1/stream HTTP/1.1\r\nhost: x\r\n\r\n");
    // It has come to rest when it makes nothing over many turns; what the kernel holds is a few megabytes.
    for (let quiet = 0, before = 0; quiet < 500; before = made) {
      await setImmediate();
      quiet = made > 0 && made === before ? quiet + 1 : 0;
    }
    expect(made).toBeLessThan(1000);
    socket.destroy();
    await stopped.promise;
    expect(made).toBeLessThan(1000);
  });

  it("cuts the connection when it fails in the middle", async () => {
    const taken = Promise.withResolvers<void>();
    const { client } = await serve(async function* () {
      yield Buffer.from("half of");
      await taken.promise;
      throw new Error("the disk is gone");
    });
    const reader = (await client.stream()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("half of");
    taken.resolve();
    await expect(reader?.read()).rejects.toThrow("terminated");
  });

  it("is an answer of our own when it fails before it begins", async () => {
    const { url } = await serve(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new AppError("FORBIDDEN")) }),
    }));
    const response = await fetch(`${url}/v1/stream`);
    expect([response.status, response.headers.get("content-disposition")]).toEqual([403, null]);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a redirect", () => {
  it("sends a page on", async () => {
    const { url } = await serve();
    const opened = await fetch(`${url}/v1/open`, { redirect: "manual" });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, elsewhere]);
    const sent = await fetch(`${url}/v1/sent`, { method: "POST", redirect: "manual" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, elsewhere]);
  });

  it("is told to a client, which cannot see where it leads", async () => {
    const { client } = await serve();
    expect([await client.open(), await client.sent()]).toEqual([elsewhere, elsewhere]);
  });
});

describe("the nouns of a contract", () => {
  it("do not compile without handlers for each route of each", () => {
    type Served = HandlersOf<{ things: Pick<typeof things, "open" | "sent"> }, string>;
    // @ts-expect-error a noun is missing
    const nothing: Served = {};
    // @ts-expect-error a route is missing
    const half: Served = { things: { open: () => elsewhere } };
    const whole: Served = { things: { open: () => elsewhere, sent: () => elsewhere } };
    expect([nothing, half, whole]).toHaveLength(3);
  });
});
