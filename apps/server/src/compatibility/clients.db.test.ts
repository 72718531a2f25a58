import { basePath, type InstanceEvent } from "@terrarium/contract";
import type { LightMyRequestResponse } from "fastify";
import { readFile } from "node:fs/promises";
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

/** Goes through the session of a client, as a user of its own. */
class Replay {
  readonly #test: TestApp;
  readonly #client: Client;
  /** What the client keeps. */
  readonly #kept: Record<string, string>;
  /** What it would stumble over. */
  readonly faults: string[] = [];

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

  /** Up to its first fault, as nothing is kept of an answer that cannot be read. */
  async run(session = this.#client.session): Promise<void> {
    for (const step of session) {
      if ("happens" in step) await this.#happen(step);
      else await this.call(step);
      if (this.faults.length > 0) return;
    }
  }

  async call(call: Call, credentials: Record<string, string> = this.#credentials()): Promise<void> {
    const { origin } = this.#client;
    const [method, path] = this.#filled(call.sends).split(" ") as ["GET", string];
    const headers = { ...this.#client.headers, ...credentials };
    if (origin) await this.#askFirst(method, path, headers);
    const answer = await this.#test.app.http.inject({
      method,
      url: basePath + path,
      headers: { ...headers, ...(origin && { origin }) },
      ...(call.body && { payload: this.#filled(JSON.stringify(call.body)) }),
    });
    const said = `${this.#client.name}: ${call.does}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
    if (answer.statusCode !== call.status) return void this.faults.push(`${said}, instead of ${call.status}`);
    this.#checkReadable(answer);
    const wrong = call.reads?.safeParse(answer.json()).error;
    if (wrong) return void this.faults.push(`${said}: ${wrong.message}`);
    for (const [name, where] of Object.entries(call.saves ?? {})) this.#kept[name] = at(answer.json(), where);
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
    this.#checkReadable(answer);
    const allowed = ["methods", "headers"].flatMap((what) =>
      String(answer.headers[`access-control-allow-${what}`]).toLowerCase().split(/, ?/),
    );
    for (const asked of [method.toLowerCase(), ...Object.keys(headers)])
      if (!allowed.includes(asked)) this.faults.push(`no page may send ${asked} to ${path}`);
  }

  #checkReadable({ headers, statusCode }: LightMyRequestResponse): void {
    const { origin } = this.#client;
    if (statusCode !== 204 && headers["content-type"] !== "application/json; charset=utf-8")
      this.faults.push(`${headers["content-type"]} is not JSON`);
    if (origin && !["*", origin].includes(headers["access-control-allow-origin"] ?? ""))
      this.faults.push("no page may read the answer");
  }

  async #happen({ happens }: Happens): Promise<void> {
    const move = { uuid: this.#kept.device ?? "", now: new Date(this.#test.clock.now()) };
    for (const event of events[happens])
      if (!(await moveInstance(this.#test.db, { ...move, event, ...(event === "powered" && { machine }) })))
        this.faults.push(`the device did not take ${event}`);
  }
}

/** What is at a place in an answer: `results.0.uuid`. */
const at = (answer: unknown, where: string): string =>
  where.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], answer) as string;

const isStart = (step: Call | Happens): step is Call => "sends" in step && step.sends.endsWith("/start-disposable");

const clients = [...gmsaas, ...players];

describe("an existing client", () => {
  it.each(clients.map((client) => [client.name, client] as const))("%s does all that it does", async (_, client) => {
    const replay = await Replay.as(await createTestApp(), client);
    await replay.run();
    expect(replay.faults).toEqual([]);
  });

  it("does in its replay what the documentation has it do", async () => {
    const page = await readFile(new URL("../../../../docs/COMPATIBILITY.md", import.meta.url), "utf8");
    const documented = Array.from(page.matchAll(/^gmsaas ((?:doctor|\w+ \w+).*)$/gm), ([, words = ""]) => words);
    expect(documented.length).toBeGreaterThan(0);
    for (const { name, session } of gmsaas.filter(({ role }) => role === undefined)) {
      const does = session.flatMap((step) => ("does" in step ? [step.does] : []));
      for (const words of documented)
        expect([name, words, does.some((done) => words.startsWith(done))]).toEqual([name, words, true]);
    }
  });

  it.each([
    ["no credential", {}, 401, "NOT_AUTHENTICATED"],
    ["a wrong API token", { "x-api-token": "x" }, 401, "NOT_AUTHENTICATED"],
    ["a wrong session", { authorization: "Bearer x" }, 401, "NOT_AUTHENTICATED"],
    ["both kinds", { "x-api-token": "x", authorization: "Bearer x" }, 400, "BOTH_CREDENTIALS"],
  ])("is refused with %s, in words that it reads", async (_, credentials, status, code) => {
    const test = await createTestApp();
    for (const client of clients) {
      const replay = await Replay.as(test, client);
      await replay.call({ does: "doctor", sends: "GET /v2/instances", status, reads: refusal(code) }, credentials);
      expect(replay.faults).toEqual([]);
    }
  });

  it("is told, in words that it reads, when it may start no more", async () => {
    const test = await createTestApp();
    for (const client of clients) {
      const start = client.session.find(isStart);
      if (!start) continue;
      const replay = await Replay.as(test, client);
      await replay.run(client.session.slice(0, client.session.indexOf(start)));
      await test.db.updateTable("organizations").set({ instances_max: 0 }).execute();
      await replay.call({ ...start, status: 403, reads: refusal("TOO_MANY_RUNNING_VDS"), saves: {} });
      expect(replay.faults).toEqual([]);
    }
  });
});
