import { basePath, type InstanceEvent } from "@terrarium/contract";
import type { LightMyRequestResponse } from "fastify";
import { describe, expect, it } from "vitest";
import { moveInstance } from "../features/instances/move-instance.ts";
import { createTestApp, type TestApp } from "../testing/app.ts";
import type { Call, Client, Happens } from "./client.ts";
import { refusal } from "./fields.ts";
import { gmsaas } from "./gmsaas.ts";
import { players } from "./player.ts";

const events: Record<Happens["happens"], readonly InstanceEvent[]> = {
  "comes online": ["powered", "answered", "booted"],
  "is gone": ["stopped", "deleted"],
};
const machine = { adb: { host: "127.0.0.1", port: 1 }, canSave: true };

/** Goes through the session of a client, which is another user's each time. */
class Replay {
  readonly #test: TestApp;
  readonly #client: Client;
  /** What the client keeps. */
  readonly #kept: Record<string, string>;

  private constructor(test: TestApp, client: Client, kept: Record<string, string>) {
    this.#test = test;
    this.#client = client;
    this.#kept = kept;
  }

  static async as(test: TestApp, client: Client): Promise<Replay> {
    const robin = await test.as({ role: client.role ?? "user" });
    const { email, password } = robin.user;
    if (client.credential === "session")
      return new Replay(test, client, { email, password, ...(client.origin && { token: robin.token }) });
    const scope = client.role === "manager" ? "admin" : "devices";
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope })).json<{ token: string }>();
    return new Replay(test, client, { token });
  }

  async run(): Promise<void> {
    for (const step of this.#client.session) {
      if ("happens" in step) await this.#happen(step);
      else await this.call(step);
    }
  }

  async call(call: Call, credentials: Record<string, string> = this.#credentials()): Promise<void> {
    const [method, path] = this.#filled(call.sends).split(" ") as ["GET", string];
    const headers = { ...this.#client.headers, ...credentials };
    if (this.#client.origin) await this.#askFirst(method, path, headers);
    const answer = await this.#test.app.http.inject({
      method,
      url: basePath + path,
      headers: { ...headers, ...(this.#client.origin && { origin: this.#client.origin }) },
      ...(call.body && { payload: this.#filled(JSON.stringify(call.body)) }),
    });
    expect([call.does, answer.statusCode, answer.statusCode === call.status ? "" : answer.body]).toEqual([
      call.does,
      call.status,
      "",
    ]);
    this.#isReadable(answer);
    if (call.reads) expect(call.reads.safeParse(answer.json()).error?.message, call.does).toBeUndefined();
    for (const [name, where] of Object.entries(call.keeps ?? {})) this.#kept[name] = at(answer.json(), where);
  }

  #credentials(): Record<string, string> {
    const { token } = this.#kept;
    if (token === undefined) return {};
    return this.#client.credential === "session" ? { authorization: `Bearer ${token}` } : { "x-api-token": token };
  }

  #filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#kept[name] ?? name);

  /** What browsers ask before a page may send this. */
  async #askFirst(method: string, path: string, headers: Record<string, string>): Promise<void> {
    const answer = await this.#test.app.http.inject({
      method: "OPTIONS",
      url: basePath + path,
      headers: {
        origin: this.#client.origin ?? "",
        "access-control-request-method": method,
        "access-control-request-headers": Object.keys(headers).toSorted().join(","),
      },
    });
    expect(answer.statusCode).toBe(204);
    this.#isReadable(answer);
    const allowed = (header: string) => String(answer.headers[header]).toLowerCase().split(/, ?/);
    expect(allowed("access-control-allow-methods")).toContain(method.toLowerCase());
    expect(allowed("access-control-allow-headers")).toEqual(expect.arrayContaining(Object.keys(headers)));
  }

  #isReadable({ headers, statusCode }: LightMyRequestResponse): void {
    if (statusCode !== 204) expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    if (this.#client.origin) expect(["*", this.#client.origin]).toContain(headers["access-control-allow-origin"]);
  }

  async #happen({ happens }: Happens): Promise<void> {
    const move = { uuid: this.#kept.device ?? "", now: new Date(this.#test.clock.now()) };
    for (const event of events[happens])
      expect(
        await moveInstance(this.#test.db, { ...move, event, ...(event === "powered" && { machine }) }),
      ).toBeDefined();
  }
}

/** What is at a place in an answer: `results.0.uuid`. */
const at = (answer: unknown, where: string): string =>
  where.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], answer) as string;

const clients = [...gmsaas, ...players];

describe("an existing client", () => {
  it.each(clients.map((client) => [client.name, client] as const))("%s does all that it does", async (_, client) => {
    await (await Replay.as(await createTestApp(), client)).run();
  });

  it.each([
    ["no credential", {}, 401, "NOT_AUTHENTICATED"],
    ["a wrong API token", { "x-api-token": "x" }, 401, "NOT_AUTHENTICATED"],
    ["a wrong session", { authorization: "Bearer x" }, 401, "NOT_AUTHENTICATED"],
    ["both kinds", { "x-api-token": "x", authorization: "Bearer x" }, 400, "BOTH_CREDENTIALS"],
  ])("is refused with %s, in words that it reads", async (_, credentials, status, code) => {
    const test = await createTestApp();
    const call = { sends: "GET /v2/instances", status, reads: refusal(code) } as const;
    for (const client of clients)
      await (await Replay.as(test, client)).call({ does: client.name, ...call }, credentials);
  });
});
