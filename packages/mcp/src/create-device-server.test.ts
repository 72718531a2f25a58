import { Client as Agent } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import type { AdbLink } from "@terrarium/adb";
import { TestClock } from "@terrarium/clock";
import { runningStates } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { PNG } from "pngjs";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createDeviceServer, type DeviceServerOptions } from "./index.ts";

const DEVICE = "1ed13016-3908-4398-a39f-546677d3af94";
const instance = { uuid: DEVICE, name: "agent", state: "ONLINE", recipe: { name: "Phone" }, stops_at: null };
const recipe = (uuid: string, arch: string) => ({ uuid, name: "Phone", arch, os_image: null });

interface Given extends Partial<DeviceServerOptions> {
  runs?: number;
  state?: string;
  recipes?: ReturnType<typeof recipe>[];
  /** Called when the service is asked for a device. */
  onGet?: () => unknown;
  shell?: (command: string[] | string) => string;
  picture?: Buffer;
}

/** An agent whose devices are made up; `asked` is what reached the service and the device. Time passes when it is waited for. */
async function anAgent({
  runs = 0,
  state = "ONLINE",
  recipes = [recipe("r1", "x86_64")],
  onGet,
  shell,
  picture,
  ...given
}: Given = {}) {
  const asked: unknown[] = [];
  const queries: object[] = [];
  const client = {
    instances: {
      list: async ({ query }: { query: object }) => (queries.push(query), { results: [], count: runs }),
      get: async () => (await onGet?.(), { ...instance, state }),
      stop: async (call: unknown) => void asked.push(call),
    },
    recipes: {
      list: async () => ({ results: recipes, count: recipes.length }),
      start: async (call: unknown) => (asked.push(call), runs++, instance),
    },
  } as unknown as Client;
  const link = {
    spawn: async () => ({ stdout: [picture], stderr: [], exit: Promise.resolve(0) }),
    shell: async (command: string[] | string) => {
      asked.push([command].flat().join(" "));
      return { exitCode: 0, stdout: shell?.(command) ?? "", stderr: "" };
    },
  } as unknown as AdbLink;
  let passed = 0;
  const sleep = async (ms: number, signal?: AbortSignal) => {
    passed += ms;
    signal?.throwIfAborted();
  };
  const options: DeviceServerOptions = {
    version: "1",
    client,
    clock: Object.assign(new TestClock(), { sleep, monotonic: () => passed }),
    withAdb: (_uuid, work) => work(link),
    openTools: () => Promise.reject(new Error("no tools")),
    isReadOnly: false,
    maxDevices: 2,
    maxMinutes: 30,
    ...given,
  };
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createDeviceServer(options).connect(there);
  const agent = new Agent({ name: "agent", version: "1" });
  await agent.connect(here);
  onTestFinished(() => agent.close());
  const use = async (name: string, words: object, signal?: AbortSignal) => {
    const { content, isError } = await agent.callTool({ name, arguments: { ...words } }, { ...(signal && { signal }) });
    return `${isError ? "ERROR " : ""}${(content as { text: string }[])[0]?.text}`;
  };
  return { use, asked, queries, tools: async () => (await agent.listTools()).tools.map(({ name }) => name) };
}

it("starts a device for no longer than the person allows", async () => {
  const { use, asked } = await anAgent();
  expect(await use("start_device", { recipe: "phone" })).toBe(`${DEVICE} agent: ONLINE, of Phone`);
  const body = { instance_name: "agent", rename_on_conflict: true, timeouts: { inactivity: 0, global: 30 } };
  expect(asked).toEqual([{ params: { uuid: "r1" }, body }]);
  expect(await use("start_device", { recipe: "phone", minutes: 31 })).toMatch(/^ERROR Input validation error/);
});

it("starts none while as many run as the person allows, also when many are asked for at once", async () => {
  const { use, asked, queries } = await anAgent({ runs: 1 });
  const all = await Promise.all([1, 2, 3].map(() => use("start_device", { recipe: "phone" })));
  const refused = "ERROR 2 devices run, and no more than 2 may. Stop one first.";
  expect(all).toEqual([`${DEVICE} agent: ONLINE, of Phone`, refused, refused]);
  expect(asked).toHaveLength(1);
  // Those that have ended are not counted, however many there are.
  expect(queries[0]).toEqual({ state: [...runningStates], page_size: 100 });
});

it("says what a device is doing that is not online before an agent gives up, and that it has ended", async () => {
  const slow = await anAgent({ state: "BOOTING" });
  expect(await slow.use("start_device", { recipe: "phone" })).toBe(
    `${DEVICE} agent: BOOTING, of Phone\nIt is not ONLINE yet: see list_devices.`,
  );
  const failed = await anAgent({ state: "ERROR" });
  expect(await failed.use("start_device", { recipe: "phone" })).toBe("ERROR The device has ended: ERROR.");
});

it("stops a device that the agent no longer waits for", async () => {
  const enough = new AbortController();
  const { use, asked } = await anAgent({
    state: "BOOTING",
    onGet: async () => {
      enough.abort();
      await new Promise(setImmediate);
    },
  });
  await expect(use("start_device", { recipe: "phone" }, enough.signal)).rejects.toThrow("abort");
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ params: { uuid: DEVICE } }));
});

it("takes the recipe of a name that is there for several architectures for x86_64, and no other that is not alone", async () => {
  const both = await anAgent({ recipes: [recipe("r1", "arm64"), recipe("r2", "x86_64")] });
  await both.use("start_device", { recipe: "Phone" });
  expect(both.asked).toMatchObject([{ params: { uuid: "r2" } }]);
  const twice = await anAgent({ recipes: [recipe("r1", "x86_64"), recipe("r2", "x86_64")] });
  for (const { use } of [twice, await anAgent({ recipes: [] })])
    expect(await use("start_device", { recipe: "Phone" })).toBe(
      'ERROR Not one recipe is called "Phone". See list_recipes.',
    );
});

it("offers only what changes nothing, if the person wants that; and files only where there are some", async () => {
  const reading = ["list_recipes", "list_devices", "look", "logs", "replay"];
  expect(await (await anAgent({ isReadOnly: true })).tools()).toEqual(reading);
  const changing = ["start_device", "stop_device", "tap", "swipe", "type_text", "press_key"];
  expect(await (await anAgent()).tools()).toEqual([...reading, ...changing]);
  const installer = { description: "", file: z.string(), install: async () => null };
  expect(await (await anAgent({ installer })).tools()).toEqual([...reading, ...changing, "install_app"]);
});

it("types line by line, with what Android can type", async () => {
  const { use, asked } = await anAgent();
  expect(await use("type_text", { device: DEVICE, text: "two words\n\nend" })).toBe("Typed 14 characters.");
  expect(asked).toEqual(["input text two%swords", "input keyevent ENTER", "input keyevent ENTER", "input text end"]);
  asked.length = 0;
  await use("type_text", { device: DEVICE, text: "a%sb 5%" });
  expect(asked).toEqual(["input text a%", "input text sb%s5%"]);
  expect(await use("type_text", { device: DEVICE, text: "früh" })).toContain("English keyboard");
});

it("touches what has a label that nothing else on the screen has", async () => {
  const node = (text: string, y: number) => `<node text="${text}" clickable="true" bounds="[0,${y}][10,${y + 10}]"/>`;
  const xml = `<?xml version="1.0"?><hierarchy rotation="0">${["One", "Two", "Two"].map((text, index) => node(text, 10 * index)).join("")}</hierarchy>`;
  const picture = PNG.sync.write(new PNG({ width: 100, height: 100 }));
  const { use, asked } = await anAgent({ shell: () => xml, picture });
  expect(await use("tap", { device: DEVICE, label: "one" })).toBe("Touched at 5,5.");
  expect(asked.at(-1)).toBe("input tap 5 5");
  expect(await use("tap", { device: DEVICE, label: "Two" })).toMatch(
    /^ERROR Several are called "Two":\n\[2\] .* at 5,15/,
  );
  expect(await use("tap", { device: DEVICE, label: "Three" })).toBe('ERROR Nothing on the screen is called "Three".');
});

it("touches, holds, moves and presses", async () => {
  const { use, asked } = await anAgent();
  await use("tap", { device: DEVICE, x: 3, y: 4 });
  await use("tap", { device: DEVICE, x: 3, y: 4, milliseconds: 1000 });
  await use("swipe", { device: DEVICE, from_x: 1, from_y: 2, to_x: 3, to_y: 4 });
  await use("press_key", { device: DEVICE, key: "recents" });
  expect(asked).toEqual([
    "input tap 3 4",
    "input swipe 3 4 3 4 1000",
    "input swipe 1 2 3 4 300",
    "input keyevent APP_SWITCH",
  ]);
  expect(await use("tap", { device: DEVICE })).toBe("ERROR Give x and y, or a label.");
});

it("reads the log with filters that are no options", async () => {
  const { use, asked } = await anAgent();
  expect(await use("logs", { device: DEVICE, filters: ["*:W", "My.App:D"] })).toBe("The log is empty.");
  expect(asked).toEqual(["logcat -d -t 100 *:W My.App:D"]);
  for (const filter of ["-c", "--clear", "a b", "-f/sdcard/x"])
    expect(await use("logs", { device: DEVICE, filters: [filter] })).toMatch(/^ERROR Input validation/);
  const long = await anAgent({ shell: () => `${"old".repeat(100_000)}new` });
  expect(await long.use("logs", { device: DEVICE })).toMatch(/^[old]{99997}new$/);
});
