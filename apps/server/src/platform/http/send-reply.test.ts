import { AppError } from "@terrarium/contract";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answerOf, serveThings } from "./testing/serve-things.ts";
import { elsewhere } from "./testing/things.ts";

describe("a reply of bytes", () => {
  it("has its media type, its length and a file name", async () => {
    const { client } = await serveThings();
    const response = await client.report({ query: { type: "application/pdf" } });
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-length")).toBe("5");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="Gr__e _1_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.csv`,
    );
    expect(await response.text()).toBe("a,b\r\n");
  });

  it("must have a media type that the contract names; otherwise nothing is told of the defect", async () => {
    const { url } = await serveThings();
    expect(await answerOf(`${url}/v1/report?type=image/png`, {})).toEqual({
      status: 500,
      code: "INTERNAL_ERROR",
      message: "An error occured.",
    });
  });

  it("is a JSON error when the request is invalid", async () => {
    const { client } = await serveThings();
    await expect(client.report({ query: { type: "x" as "text/csv" } })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("is streamed", async () => {
    const { client } = await serveThings(async function* () {
      yield Buffer.from("a,");
      await setImmediate();
      yield Buffer.from("b");
    });
    const response = await client.stream();
    expect(response.headers.get("content-disposition")).toContain('filename="all.csv"');
    expect(await response.text()).toBe("a,b");
  });

  it("is produced no faster than it is read, and not after the reader has disconnected", async () => {
    let made = 0;
    const stopped = Promise.withResolvers<void>();
    const { port } = await serveThings(async function* () {
      try {
        for (; made < 2000; made++) yield Buffer.alloc(64 * 1024);
      } finally {
        stopped.resolve();
      }
    });
    const socket = connect({ port, host: "127.0.0.1" });
    socket.pause();
    socket.write("GET /cloud/v1/stream HTTP/1.1\r\nhost: x\r\n\r\n");
    // The producer is paused once it yields nothing for many turns; until then kernel buffers take a few megabytes.
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
    const { client } = await serveThings(async function* () {
      yield Buffer.from("half of");
      await taken.promise;
      throw new Error("the disk is gone");
    });
    const reader = (await client.stream()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("half of");
    taken.resolve();
    await expect(reader?.read()).rejects.toThrow("terminated");
  });

  it("is a JSON error when it fails before the first byte", async () => {
    const { url } = await serveThings(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new AppError("FORBIDDEN")) }),
    }));
    const response = await fetch(`${url}/v1/stream`);
    expect([response.status, response.headers.get("content-disposition")]).toEqual([403, null]);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a redirect", () => {
  it("answers a browser's navigation with a Location header", async () => {
    const { url } = await serveThings();
    const opened = await fetch(`${url}/v1/open`, { redirect: "manual" });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, elsewhere]);
    const sent = await fetch(`${url}/v1/sent`, { method: "POST", redirect: "manual" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, elsewhere]);
  });

  it("is returned as JSON to the SDK, which cannot see where a redirect leads", async () => {
    const { client } = await serveThings();
    expect([await client.open(), await client.sent()]).toEqual([elsewhere, elsewhere]);
  });
});
