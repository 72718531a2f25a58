import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { type Usage, usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { setTimeout } from "node:timers/promises";
import { print } from "./support/figures.ts";

/** What a wall of live miniatures costs: devices that nobody looks at, then the same ones while somebody does. */

const STEPS = [20];
const MEASURE_MS = 10_000;
/** Until miniatures that nobody looks at are closed, and their displays too. */
const REST_MS = 35_000;
/** Changes the whole screen each second, from within the device: opens and closes the list of recent apps. */
const CHANGE = "while true; do input keyevent 187; sleep 1; done";

const server = await TestServer.start();
const adb = await stockAdb();
const changing = new AbortController();

/** Looks at a device as the web app does, until `stop`. */
class Onlooker {
  pictures = 0;
  bytes = 0;
  readonly #socket: WebSocket;

  constructor(url: string, token: string) {
    this.#socket = new WebSocket(url);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("open", () => {
      this.#socket.send(JSON.stringify({ type: "token", token }));
      this.#socket.send("next");
    });
    this.#socket.addEventListener("message", ({ data }) => {
      this.pictures++;
      this.bytes += (data as ArrayBuffer).byteLength;
      this.#socket.send("next");
    });
  }

  stop(): void {
    this.#socket.close();
  }
}

try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(STEPS.at(-1)));
  const { client } = await server.signIn(demo.manager);
  const usage = async () => ({
    gateway: await usageOfRoles(server.dataDir, "gateway"),
    simulator: await usageOfRoles(server.dataDir, "host"),
    server: await usageOfRoles(server.dataDir, "server"),
  });
  const measure = async (label: string, devices: number) => {
    const before = await usage();
    await setTimeout(MEASURE_MS);
    const after = await usage();
    const each = (from: Usage, to: Usage) =>
      `${(((to.cpuSeconds - from.cpuSeconds) * 1000) / devices / (MEASURE_MS / 1000)).toFixed(1)} ms`;
    print(
      label,
      `simulator ${each(before.simulator, after.simulator)}, gateway ${each(before.gateway, after.gateway)}, server ${each(before.server, after.server)}`,
    );
  };

  console.log("Miniatures: processor time for each device and second");
  const started: { uuid: string; url: string }[] = [];
  for (const step of STEPS) {
    while (started.length < step) {
      const { uuid, miniature_url: url } = await startDevice(client, { name: `wall-${started.length}` });
      await untilState(client, uuid, "ONLINE");
      const address = (await server.instances()).find((one) => one.uuid === uuid)?.adb;
      const device = await adb.connect(address ?? "");
      started.push({ uuid, url });
      const change = async () => {
        while (!changing.signal.aborted) await device("shell", CHANGE).catch(() => undefined);
      };
      void change();
    }
    await setTimeout(REST_MS);
    await measure(`${step} changing, nobody looks`, step);
    const onlookers = await Promise.all(
      started.map(async ({ uuid, url }) => {
        const { access_token } = await client.instances.accessToken({ body: { instance_uuid: uuid } });
        return new Onlooker(url, access_token);
      }),
    );
    await setTimeout(2_000);
    for (const onlooker of onlookers) Object.assign(onlooker, { pictures: 0, bytes: 0 });
    await measure(`${step} changing, one looks at all`, step);
    const sum = (field: "pictures" | "bytes") => onlookers.reduce((total, one) => total + one[field], 0);
    const pictures = sum("pictures");
    print(
      "  pictures for each device and second, and size",
      `${(pictures / step / (MEASURE_MS / 1000)).toFixed(2)}, ${(sum("bytes") / pictures / 1024).toFixed(1)} kB`,
    );
    for (const onlooker of onlookers) onlooker.stop();
  }
} finally {
  changing.abort();
  await adb.stop();
  await server.stop();
}
