import { TestClock } from "@terrarium/clock";
import { AppError, type ArrivingBody, routes } from "@terrarium/contract";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createLog } from "../log.ts";
import { forwardBody } from "./forward-body.ts";
import { createHttpServer } from "./http-server.ts";
import { implement } from "./implement.ts";

const MB = 1024 ** 2;
const table = routes({
  deliver: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/deliveries",
    summary: "Receives a file",
    access: "public",
    body: { kind: "stream", types: ["application/x-file"] },
    maxBodyBytes: 64 * MB,
    reply: z.object({ bytes: z.number() }),
  },
});
const never = new AbortController().signal;

/** A server that does `work` with what arrives. */
async function serve(work: (body: ArrivingBody) => Promise<number>) {
  const app = await createHttpServer({
    clock: new TestClock(),
    log: createLog("silent", "test"),
    trustedProxies: [],
  });
  const guard = { admit: () => Promise.reject(new Error("nobody signs in here")) };
  implement(app, table, { guard, checkReplies: true }, { deliver: async ({ body }) => ({ bytes: await work(body) }) });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const post = async (body: BodyInit | null, type = "application/x-file") => {
    const url = `http://127.0.0.1:${port}/cloud/v1/deliveries`;
    const response = await fetch(url, { method: "POST", body, headers: { "content-type": type } });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  /** Sends the beginning of a file of `bytes`, and no end of it. */
  const begin = (bytes: number) => {
    const headers = { "content-type": "application/x-file", "content-length": bytes };
    const call = request({ port, path: "/cloud/v1/deliveries", method: "POST", headers });
    call.on("error", () => undefined);
    return call;
  };
  return { port, post, begin };
}

const count = async (body: ArrivingBody): Promise<number> => {
  let sum = 0;
  await body.each(async (part) => void (sum += part.length), never);
  return sum;
};

describe("a body that is read as it arrives", () => {
  it.each([0, 1, 5 * MB])("comes whole, when it has %i bytes", async (bytes) => {
    const { post } = await serve(count);
    expect(await post(new Uint8Array(bytes))).toEqual({ status: 200, body: { bytes } });
  });

  it("has a length that is known before", async () => {
    const { post } = await serve(async ({ bytes }) => bytes);
    expect(await post(new Uint8Array(3))).toMatchObject({ body: { bytes: 3 } });
  });

  it("needs its length, and a type that the route takes", async () => {
    const { port, post } = await serve(count);
    const socket = connect(port, "127.0.0.1");
    const answer = text(socket);
    const head = ["POST /cloud/v1/deliveries HTTP/1.1", "host: x", "content-type: application/x-file"];
    socket.end([...head, "transfer-encoding: chunked", "connection: close", "", "1", "x", "0", "", ""].join("\r\n"));
    expect(await answer).toMatch(/^HTTP\/1.1 400 [^]*Content-Length/);
    expect((await post("x", "text/plain")).status).toBe(415);
  });

  it("is refused by its length, before it is read", async () => {
    const work = vi.fn(count);
    const { begin } = await serve(work);
    const call = begin(64 * MB + 1);
    const status = await new Promise((resolve) => {
      call.once("response", ({ statusCode }) => resolve(statusCode)).write("x");
    });
    expect(status).toBe(413);
    expect(work).not.toHaveBeenCalled();
    call.destroy();
  });

  it("is held back while what it goes to does not take it", async () => {
    const gate = Promise.withResolvers<void>();
    let taken = 0;
    const { begin } = await serve(async (body) => {
      await body.each(async (part) => {
        taken += part.length;
        await gate.promise;
      }, never);
      return taken;
    });
    const call = begin(32 * MB);
    const answered = new Promise((resolve) => call.once("response", ({ statusCode }) => resolve(statusCode)));
    call.end(Buffer.alloc(32 * MB));
    await vi.waitFor(() => expect(taken).toBeGreaterThan(0), 10_000);
    await new Promise(setImmediate);
    expect(taken).toBeLessThan(MB);
    gate.resolve();
    expect(await answered).toBe(200);
    expect(taken).toBe(32 * MB);
  });

  it("is dropped after a failure, whose reply still arrives", async () => {
    const { post } = await serve(async (body) => {
      await body.each(() => Promise.reject(new AppError("RECIPE_NOT_READY")), never);
      return 0;
    });
    expect(await post(new Uint8Array(5 * MB))).toMatchObject({ status: 409, body: { code: "RECIPE_NOT_READY" } });
  });

  it("is read to its end then, for clients that send all before they look for a reply", async () => {
    const { begin } = await serve(async (body) => {
      await body.each(() => Promise.reject(new AppError("RECIPE_NOT_READY")), never);
      return 0;
    });
    const call = begin(32 * MB);
    const sent = once(call, "finish");
    const answered = new Promise((resolve) => call.once("response", ({ statusCode }) => resolve(statusCode)));
    call.end(Buffer.alloc(32 * MB));
    await sent;
    expect(await answered).toBe(409);
  });

  it("ends with whoever stops waiting for it, or with the client", async () => {
    const failure = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<void>();
    const stop = new AbortController();
    const { begin } = await serve(async (body) => {
      await body.each(async () => begun.resolve(), stop.signal).catch(failure.resolve);
      return Number(body.gone.aborted);
    });
    const call = begin(10);
    const answered = new Promise((resolve) => call.once("response", ({ statusCode }) => resolve(statusCode)));
    call.write("x");
    await begun.promise;
    stop.abort(new Error("enough"));
    expect(await failure.promise).toMatchObject({ message: "enough" });
    expect(await answered).toBe(200);
    call.destroy();

    const gone = Promise.withResolvers<unknown>();
    const other = await serve(async (body) => {
      await body.each(async () => undefined, never).catch(gone.resolve);
      return 0;
    });
    const leaving = other.begin(10);
    leaving.write("x", () => leaving.destroy());
    expect(await gone.promise).toMatchObject({ code: "REQUEST_TIMEOUT" });
  });
});

describe("forwardBody", () => {
  /** A server that passes bodies on to another, which answers as `listener` does. */
  async function forwardTo(listener: Parameters<typeof createServer>[1]) {
    const other = createServer(listener as never);
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.closeAllConnections();
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const answers: unknown[] = [];
    const server = await serve(async (body) => {
      const options = { to: `127.0.0.1:${port}`, path: "/there", headers: { authorization: "me" }, body };
      const answer = await forwardBody(options).catch((error: Error) => error.message);
      answers.push(answer);
      return body.bytes;
    });
    const connections = () => promisify(other.getConnections.bind(other))();
    return { ...server, answers, connections };
  }

  it("passes on the whole body, its length and the headers, and returns the answer", async () => {
    const { post, answers } = await forwardTo((incoming, response) => {
      void text(incoming).then((body) => {
        const { authorization, "content-length": length } = incoming.headers;
        response.writeHead(201).end(JSON.stringify({ url: incoming.url, authorization, length, body: body.length }));
      });
    });
    await post(new Uint8Array(3 * MB));
    const json = { url: "/there", authorization: "me", length: String(3 * MB), body: 3 * MB };
    expect(answers).toEqual([{ status: 201, json }]);
  });

  it("returns an answer that comes before the end, and drops the rest", async () => {
    const { post, answers } = await forwardTo((incoming, response) => {
      incoming.resume();
      response.writeHead(422).end("{}");
    });
    expect((await post(new Uint8Array(20 * MB))).status).toBe(200);
    expect(answers).toEqual([{ status: 422, json: {} }]);
  });

  it("rejects when the other process is gone, answers too much, or no JSON", async () => {
    const gone = await forwardTo((incoming) => void incoming.socket.destroy());
    await gone.post(new Uint8Array(5 * MB));
    expect(gone.answers).toEqual([expect.stringMatching(/EPIPE|ECONNRESET|socket hang up/)]);
    const endless = await forwardTo((_incoming, response) => void response.end("x".repeat(100_000)));
    await endless.post("x");
    expect(endless.answers).toEqual(["the answer is too long"]);
    const page = await forwardTo((_incoming, response) => void response.end("<h1>"));
    await page.post("x");
    expect(page.answers).toEqual([expect.stringMatching(/JSON/)]);
  });

  it("leaves no connection behind", async () => {
    const { post, answers, connections } = await forwardTo((incoming, response) => {
      void text(incoming).then(() => response.end("{}"));
    });
    await post("x");
    expect(answers).toEqual([{ status: 200, json: {} }]);
    await vi.waitFor(async () => expect(await connections()).toBe(0), 10_000);
  });

  it("leaves the other process when the client leaves", async () => {
    const left = Promise.withResolvers<boolean>();
    const begun = Promise.withResolvers<void>();
    const { begin } = await forwardTo((incoming) => {
      begun.resolve();
      incoming.resume().once("close", () => left.resolve(incoming.complete));
    });
    const call = begin(100);
    call.write("x");
    await begun.promise;
    call.destroy();
    expect(await left.promise).toBe(false);
  });
});
