import type { Instance } from "@terrarium/contract";
import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { processesOf, usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { Viewer } from "@terrarium/e2e/support/viewer.ts";
import { cleanup } from "node-datachannel";
import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { waitAfter } from "../packages/sdk/src/display/reconnect.ts";
import { megabytes, print, spread } from "./support/figures.ts";

/**
 * Hundreds of viewers who lose their pictures at the same moment, because their gateway was killed: how long until each has one again,
 * coming back as our page does, and how long other people wait for the API meanwhile. Baseline: the same with a single viewer. The viewers
 * run on the same machine.
 */

const DEVICES = 16;
/** Of each, one less than a device has room for. */
const VIEWERS = 31;
/** They come from so many networks: one network may not open thousands of connections a minute. */
const NETWORKS = 25;
const PICTURE_MS = 15_000;
const LIMIT_MS = 120_000;
/** A gateway that has lived for a minute is restarted without delay. */
const REST_MS = 61_000;
const LOOK_MS = 50;

const server = await TestServer.start();

try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(2 * DEVICES));
  const { client } = await server.signIn(demo.manager);
  const devices: Instance[] = [];
  for (let count = 0; count < DEVICES; count++) devices.push(await startDevice(client));
  for (const { uuid } of devices) await untilState(client, uuid, "ONLINE");

  /** One page, from its first picture on, until it is told to leave. */
  async function watch(number: number, seen: () => void, leave: AbortSignal): Promise<void> {
    const { uuid, webrtc_url } = devices[number % DEVICES]!;
    const from = `127.0.1.${1 + (number % NETWORKS)}`;
    while (!leave.aborted) {
      const { access_token } = await client.instances.accessToken({ body: { instance_uuid: uuid } });
      const viewer = new Viewer(webrtc_url, Promise.resolve(access_token), { from });
      const left = () => viewer.close();
      leave.addEventListener("abort", left);
      let hadPicture = false;
      try {
        await viewer.until("a picture", PICTURE_MS, () => viewer.steps.still ?? viewer.pictures[0]);
        hadPicture = true;
        seen();
        await viewer.until("its end", LIMIT_MS, () => leave.aborted || undefined);
      } catch {
        // It comes back.
      }
      viewer.close();
      leave.removeEventListener("abort", left);
      if (!leave.aborted) await setTimeout(waitAfter("lost", hadPicture));
    }
  }

  async function measure(viewers: number): Promise<void> {
    const leave = new AbortController();
    let since = performance.now();
    let waits: number[] = [];
    const pages = Array.from({ length: viewers }, (_, number) =>
      watch(number, () => waits.push(performance.now() - since), leave.signal),
    );
    const all = async () => {
      while (waits.length < viewers && performance.now() - since < LIMIT_MS) await setTimeout(LOOK_MS);
    };
    await all();
    console.log(`${viewers} viewers of ${Math.min(viewers, DEVICES)} devices`);
    print("all opened at once: until the picture, ms", spread(waits, 0));
    await setTimeout(REST_MS);

    const { pid } = (await processesOf(server.dataDir)).find(({ role }) => role === "gateway")!;
    waits = [];
    since = performance.now();
    process.kill(pid, "SIGKILL");
    const answers: number[] = [];
    const back = all();
    for (let isBack = false; !isBack;) {
      const asked = performance.now();
      await client.instances.list({ query: { page_size: 1 } });
      answers.push(performance.now() - asked);
      isBack = await Promise.race([back.then(() => true), setTimeout(LOOK_MS, false)]);
    }
    print("their gateway is killed: until the next picture, ms", spread(waits, 0));
    print("  without one after two minutes", String(viewers - waits.length));
    print("  the API meanwhile, ms", spread(answers, 0));
    print("  gateway", megabytes((await usageOfRoles(server.dataDir, "gateway")).bytes));
    leave.abort();
    await Promise.all(pages);
  }

  console.log(`Load average before: ${loadavg()[0]?.toFixed(1)}`);
  await measure(1);
  await measure(DEVICES * VIEWERS);
} finally {
  await server.stop();
  cleanup();
}
