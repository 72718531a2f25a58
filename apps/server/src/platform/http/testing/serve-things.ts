import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { clientOf } from "@terrarium/sdk";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { createLog } from "../../log.ts";
import { createHttpServer } from "../http-server.ts";
import { type Handlers, implementAll } from "../implement.ts";
import type { Origins } from "../own-pages.ts";
import { contract, elsewhere, type things, wire } from "./things.ts";

/** A server with the routes of `things.ts` on a free port, and a client for it. */
export async function serveThings(
  stream: () => AsyncIterable<Uint8Array> = async function* () {},
  origins: Origins = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-http-"));
  vi.stubEnv("TMPDIR", folder);
  const uploads: unknown[] = [];
  const handlers: Handlers<typeof things, string> = {
    webhook: ({ body, headers }) => ({
      base64: Buffer.from(body).toString("base64"),
      signature: headers["x-signature"],
    }),
    upload: async ({ body: { fields, files }, actor }) => {
      uploads.push(actor);
      const all = [...files.photos, ...files.note];
      const texts = all.map(
        async (file) => `${file.name} ${file.type} ${file.bytes} ${await readFile(file.path, "utf8")}`,
      );
      return { ...fields, files: await Promise.all(texts) };
    },
    deliver: async ({ body }) => {
      await body.each(async () => undefined, body.gone);
      return { bytes: body.bytes };
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
  const clock = new TestClock();
  const app = await createHttpServer({ clock, log: createLog("silent", "test"), trustedProxies: [] });
  const guard = {
    admit: ({ headers }: { headers: { authorization?: string | undefined } }) => {
      if (!headers.authorization) throw new AppError("NOT_AUTHENTICATED");
      return { expected: undefined, actor: Promise.resolve("robin") };
    },
  };
  implementAll(app, contract, { guard, ...origins, checkReplies: true }, { things: handlers });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const { port } = app.server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = clientOf<typeof contract>({ things: wire }, { baseUrl, token: () => "t", retries: 0 });
  return {
    app,
    clock,
    port,
    client: client.things,
    uploads,
    url: `${baseUrl}/cloud`,
    leftovers: () => readdir(folder),
  };
}

export interface Init extends Omit<RequestInit, "headers"> {
  headers?: Record<string, string>;
  duplex?: "half";
}

/** The error that a route answers to a request the SDK would never send. */
export async function answerOf(url: string, init: Init) {
  const response = await fetch(url, { ...init, headers: { authorization: "Bearer t", ...init.headers } });
  const { code, message, fields } = (await response.json()) as Pick<AppError, "code" | "message" | "fields">;
  return { status: response.status, code, message, fields };
}

/** The head of an HTTP request, for tests that write to a socket themselves. */
export const head = (headers: Record<string, string>, path = "uploads"): string => {
  const lines = Object.entries({ host: "x", authorization: "Bearer t", ...headers }).map((pair) => pair.join(": "));
  return `POST /cloud/v1/${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
};
