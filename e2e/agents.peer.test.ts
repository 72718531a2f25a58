import { Client as Agent, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const RECIPE = "Phone 6.1 in, Android 15";
const apk = makeApk({ packageName: "test.terrarium.agent", versionCode: 1, minSdk: 21, label: "Agent" });

describe("an agent over HTTP", () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await preparedServer();
    ({ client } = await server.signIn(demo.user));
  });
  afterAll(() => server?.stop());

  async function anAgent(
    scope: "read" | "devices",
    { of = client, query = "", protocol }: { of?: Client; query?: string; protocol?: "legacy" | "modern" } = {},
  ) {
    const description = `agent ${Math.random()}`;
    const { uuid, token } = await of.apiTokens.create({ body: { description, scope } });
    const mode = protocol === "modern" ? "auto" : "legacy";
    const agent = new Agent({ name: "agent", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), { requestInit }));
    onTestFinished(() => agent.close());
    const use = async (name: string, given: object = {}, signal?: AbortSignal) => {
      const { content, isError } = await agent.callTool(
        { name, arguments: { ...given } },
        { ...(signal && { signal }) },
      );
      const [said, picture] = content as { text?: string; data?: string }[];
      return { said: said?.text ?? "", picture: Buffer.from(picture?.data ?? "", "base64"), isError: isError ?? false };
    };
    return { uuid, token, agent, use, revoke: () => of.apiTokens.revoke({ params: { uuid } }) };
  }
  const running = async () => (await client.instances.list({ query: { state: ["ONLINE", "BOOTING"] } })).results;

  it.each(["legacy", "modern"] as const)("does a whole task on a device, by the %s protocol", async (protocol) => {
    const { use, revoke, token } = await anAgent("devices", { protocol, query: "?max_devices=1&max_minutes=10" });
    expect((await use("list_recipes", { search: RECIPE })).said).toContain(`${RECIPE} (Android 15.0, x86_64)`);
    expect((await use("start_device", { recipe: RECIPE, minutes: 11 })).said).toContain("Input validation error");
    const [one, two] = await Promise.all([1, 2].map(() => use("start_device", { recipe: RECIPE, minutes: 5 })));
    // However they come, the second finds no room.
    const [started, refused] = one!.isError ? [two!, one!] : [one!, two!];
    expect(started.said).toContain("ONLINE");
    expect(refused).toMatchObject({ isError: true, said: expect.stringContaining("no more than 1 may") });
    const [device] = started.said.split(" ");
    expect((await use("list_devices")).said).toContain(device);
    await use("tap", { device, label: "Notes" });
    await use("tap", { device, label: "plus" });
    await use("type_text", { device, text: "by an agent" });
    const { said, picture } = await use("look", { device });
    expect(said).toMatch(/^\[\d+\] \w+ "by an agent" at \d+,\d+/m);
    expect(PNG.sync.read(picture).height).toBeGreaterThan(500);
    const file = Buffer.from(apk).toString("base64");
    expect((await use("install_app", { device, file })).said).toContain("test.terrarium.agent");
    expect((await use("logs", { device, lines: 400 })).said).toContain("com.terrarium.notes");
    const replay = await use("replay", { device });
    expect(replay.said).toMatch(/^-\d+\.\d s adb: input tap \d+ \d+\n(.*\n)*-\d+\.\d s something is typed$/m);
    expect(replay.said).toContain("com.terrarium.notes");
    expect(replay.said).not.toContain("by%san%sagent");
    expect(PNG.sync.read(replay.picture).height).toBeGreaterThan(500);
    await use("stop_device", { device });
    await eventually("it has stopped", async () => (await running()).length === 0);
    await revoke();
    await expect(use("list_devices")).rejects.toThrow("NOT_AUTHENTICATED");
    const again = await fetch(`${server.url}/mcp`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    expect([again.status, again.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="terrarium"']);
  });

  it("reaches no device of others, and changes nothing with a token that only reads", async () => {
    const { uuid } = await client.recipes.start({
      params: { uuid: (await client.recipes.list({ query: { search: RECIPE } })).results[0]!.uuid },
      body: { instance_name: "mine", rename_on_conflict: true },
    });
    await eventually("it is online", async () => (await running()).some(({ state }) => state === "ONLINE"));
    const { client: anothers } = await server.signIn(demo.manager);
    const stranger = await anAgent("devices", { of: anothers });
    expect((await stranger.use("list_devices")).said).not.toContain(uuid);
    for (const tool of ["look", "logs", "replay"])
      expect(await stranger.use(tool, { device: uuid })).toMatchObject({ isError: true, picture: Buffer.alloc(0) });
    const reader = await anAgent("read");
    const looks = ["list_recipes", "list_devices", "look", "logs", "replay"];
    expect((await reader.agent.listTools()).tools.map(({ name }) => name)).toEqual(looks);
    expect((await reader.use("list_devices")).said).toContain(uuid);
    // To see a device, a token must be for devices.
    expect(await reader.use("look", { device: uuid })).toMatchObject({ isError: true, picture: Buffer.alloc(0) });
    const watcher = await anAgent("devices", { query: "?read_only=true" });
    expect((await watcher.agent.listTools()).tools.map(({ name }) => name)).toEqual(looks);
    expect((await watcher.use("look", { device: uuid })).isError).toBe(false);
    await client.instances.stop({ params: { uuid } });
  });
});
