import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { Viewer } from "@terrarium/e2e/support/viewer.ts";
import { cleanup } from "node-datachannel";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { percentile, print, spread } from "./support/figures.ts";

/**
 * Ten viewers of one device, of whom one is frozen: a process that was stopped with its connection open, so that it neither reads nor
 * answers. How long the others wait for what a tap has changed, beside the same with the tenth awake, in turns.
 */

const OTHERS = 9;
const ROUNDS = 3;
const TAPS = 18;
/** Past the better picture that follows when nothing moves, and random, so that taps are not in step with anything. */
const PAUSE_MS = { least: 450, random: 67 };
const LOST_MS = 2_000;
/** Until all that is on its way to the frozen one has piled up. */
const FREEZE_MS = 1_500;
/**
 * What freezing one may cost the others until the last of them has its picture, by the median and the 95th percentile of all taps. Their
 * pictures of one tap are late together: higher percentiles tell of one tap.
 */
const AIM = 1.2;

const sleeper = fileURLToPath(new URL("../e2e/soak/sleeper.ts", import.meta.url));
const server = await TestServer.start();
const adb = await stockAdb();
let tenth: ChildProcess | undefined;

interface Figures {
  /** Until each of the viewers had its next picture. */
  waits: number[];
  /** Until the last of them had it: one figure for each tap. */
  last: number[];
  lost: number;
  cpu: number;
}

/** Taps, and notes how long it took until the viewers had their next picture. */
async function measure(viewers: readonly Viewer[], into: Figures): Promise<void> {
  for (let tap = 0; tap < TAPS; tap++) {
    await setTimeout(PAUSE_MS.least + Math.random() * PAUSE_MS.random);
    for (const viewer of viewers) viewer.pictures.length = 0;
    const tapped = viewers[0]!.tap(0.5, 0.5);
    const seen = viewers.map((viewer) => viewer.until("a picture", LOST_MS, () => viewer.pictures[0]));
    const results = await Promise.allSettled(seen);
    // One that is lost was waited for too.
    const waits = results.map((result) => (result.status === "fulfilled" ? result.value.at - tapped : LOST_MS));
    into.waits.push(...waits);
    into.last.push(Math.max(...waits));
    into.lost += results.filter(({ status }) => status === "rejected").length;
  }
}

try {
  const { client } = await server.signIn(demo.manager);
  const { uuid, webrtc_url } = await startDevice(client);
  await untilState(client, uuid, "ONLINE");
  const token = async () => (await client.instances.accessToken({ body: { instance_uuid: uuid } })).access_token;
  const device = await adb.connect((await server.instances()).find((one) => one.uuid === uuid)?.adb ?? "");
  await device("shell", "monkey", "-p", "com.terrarium.latency", "1");
  const viewers = Array.from({ length: OTHERS }, () => new Viewer(webrtc_url, token()));
  for (const viewer of viewers) {
    await viewer.until("a picture", 10_000, () => viewer.pictures[0]);
    await viewer.until("the events channel", 10_000, () => viewer.eventsOpen || undefined);
  }

  const noFigures = (): Figures => ({ waits: [], last: [], lost: 0, cpu: 0 });
  const figures = { awake: noFigures(), frozen: noFigures() };
  console.log(
    `${OTHERS + 1} viewers; ${ROUNDS * TAPS} taps in ${ROUNDS} rounds. Load average ${loadavg()[0]?.toFixed(1)}`,
  );
  for (let round = 0; round < ROUNDS; round++)
    for (const [state, sum] of Object.entries(figures)) {
      tenth = fork(sleeper, [webrtc_url, await token()], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      const [said] = (await once(tenth, "message")) as [string];
      if (said !== "watching") throw new Error(`the tenth viewer: ${said}`);
      if (state === "frozen") tenth.kill("SIGSTOP");
      await setTimeout(FREEZE_MS);
      const before = (await usageOfRoles(server.dataDir, "gateway")).cpuSeconds;
      await measure(viewers, sum);
      sum.cpu += (await usageOfRoles(server.dataDir, "gateway")).cpuSeconds - before;
      tenth.kill("SIGKILL");
      await once(tenth, "exit");
    }
  const taps = ROUNDS * TAPS;
  for (const [state, { waits, last, lost, cpu }] of Object.entries(figures)) {
    print(`from a tap to the others' next picture, ms (${state})`, spread(waits, 1));
    print("  to that of the last of them", spread(last, 1));
    print(`  lost, each as ${LOST_MS} ms; gateway for each tap`, `${lost}; ${((cpu / taps) * 1000).toFixed(1)} ms`);
  }
  for (const share of [0.5, 0.95]) {
    const by = percentile(figures.frozen.last, share) / percentile(figures.awake.last, share);
    print(`frozen by awake, the last viewer, p${share * 100} of taps`, `${by.toFixed(2)} (aim: at most ${AIM})`);
  }
  for (const viewer of viewers) viewer.close();
  console.log(`Load average after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  tenth?.kill("SIGKILL");
  await adb.stop();
  await server.stop();
  cleanup();
}
