import { type InstanceChange, socketPath } from "@terrarium/contract";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { query } from "@terrarium/e2e/support/database.ts";
import { eventually } from "@terrarium/e2e/support/instances.ts";
import { Viewer } from "@terrarium/e2e/support/viewer.ts";
import { cleanup } from "node-datachannel";
import { io } from "socket.io-client";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile, print, spread } from "./support/figures.ts";

/**
 * How long a user waits after starting a device: until its first picture, and until its first reaction to a tap. The viewer opens the
 * display as soon as the start request is answered, as the web app does, and does not decode. Likewise for devices that were kept booted.
 */

const STARTS = 50;
const HAND_OUTS = 20;
const TIMEOUT_MS = 15_000;
const KEY_FRAMES_REST_MS = 500;
/** A tap without a reaction by then counts as lost. By itself, the home screen changes only when the clock's minute does. */
const REACTION_MS = 1_000;
/** Opening an app is animated: this many frames make sure that they are the reaction to the tap. */
const ANIMATION_FRAMES = 3;
const RUNNING = "baseline: first frame of one that runs";
/** The middle of the dock of a phone in portrait, where the Latency app is, as fractions of the screen. */
const ICON = { across: 0.5, down: 0.864 };

const server = await TestServer.start();
const { client, token } = await server.signIn(demo.manager);
const recipe = (await client.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } })).results[0];
if (!recipe) throw new Error("there is no Phone 6.1");

// Changes carry the server's timestamps, which are from the same clock as ours.
const changes: InstanceChange[] = [];
const socket = io(new URL(server.url).origin, {
  path: socketPath,
  transports: ["websocket"],
  query: { token: `Bearer ${token}` },
});
socket.on("instances", ({ data }: { data: InstanceChange }) => changes.push(data));
socket.on("connect", () => socket.emit("subscribe", { tags: ["instances"] }));

/** Figures by name, in order of first appearance. */
let figures = new Map<string, number[]>();
const add = (name: string, figure: number | undefined) =>
  figure !== undefined && figures.set(name, [...(figures.get(name) ?? []), figure]);
let lostTaps = 0;

async function startOnce(first: boolean): Promise<void> {
  const began = performance.now();
  const instance = await client.recipes.start({
    params: { uuid: recipe!.uuid },
    body: { instance_name: "bench", rename_on_conflict: true },
  });
  const { uuid } = instance;
  const answered = performance.now();
  const accessToken = client.instances
    .accessToken({ body: { instance_uuid: uuid } })
    .then(({ access_token }) => access_token);
  const viewer = new Viewer(instance.webrtc_url, accessToken);
  try {
    const picture = await viewer.until("the first frame", TIMEOUT_MS, () => viewer.pictures.find((p) => p.keyFrame));
    await viewer.until("the events channel", TIMEOUT_MS, () => viewer.eventsOpen || undefined);
    const tapped = viewer.tap(ICON.across, ICON.down);
    const reaction = await viewer
      .until("a reaction to the tap", REACTION_MS, () => {
        const after = viewer.pictures.filter(({ at }) => at > tapped);
        return after.length >= ANIMATION_FRAMES ? after[0] : undefined;
      })
      .catch(() => undefined);
    if (first) {
      console.log("Start to first frame, for the first device of the server");
      print("start to first frame (ms)", (picture.at - began).toFixed(0));
      return;
    }
    const stateAt = (state: InstanceChange["state"]) => {
      const change = changes.find((one) => one.uuid === uuid && one.state === state);
      return change && Date.parse(change.updated_at) - performance.timeOrigin - began;
    };
    add("start to first picture", Math.min(picture.at, viewer.steps.still ?? picture.at) - began);
    add("start to first frame", picture.at - began);
    const running = await showRunning(instance.webrtc_url, accessToken);
    add("first picture of one that runs", running.picture);
    add(RUNNING, running.frame);
    if (reaction) {
      add("start to first reaction to a tap", reaction.at - began);
      add("  tap sent to first changed frame", reaction.at - tapped);
    } else lostTaps++;
    add("start request answered", answered - began);
    add("row in STARTING", stateAt("STARTING"));
    add("row in BOOTING", stateAt("BOOTING"));
    add("row ONLINE", stateAt("ONLINE"));
    add("viewer admitted", since(began, viewer.steps.connection));
    add("offer answered", since(began, viewer.steps.answer));
    add("video open (ICE, DTLS)", since(began, viewer.steps.trackOpen));
    add("events channel open", since(began, viewer.steps.eventsOpen));
    add("first key frame, kB", picture.bytes / 1024);
  } finally {
    viewer.close();
    await client.instances.stop({ params: { uuid } });
    await eventually("it ended", async () => changes.some((one) => one.uuid === uuid && one.state === "DELETED"));
  }
}

/** How long another viewer waits for the device once it runs: what starting it adds is beside that. */
async function showRunning(url: string, token: Promise<string>): Promise<{ picture: number; frame: number }> {
  await token;
  // Otherwise the key frames of the one before are too close for another.
  await sleep(KEY_FRAMES_REST_MS);
  const began = performance.now();
  const viewer = new Viewer(url, token);
  const { at } = await viewer
    .until("the first frame", TIMEOUT_MS, () => viewer.pictures.find(({ keyFrame }) => keyFrame))
    .finally(() => viewer.close());
  return { picture: Math.min(at, viewer.steps.still ?? at) - began, frame: at - began };
}

const isWarm = async (): Promise<boolean> =>
  (await query(server.dataDir, "SELECT FROM instances WHERE is_warm AND state = 'CREATED'")).length > 0;

const since = (began: number, step: number | undefined) => (step === undefined ? undefined : step - began);

try {
  await eventually("the socket is open", async () => socket.connected);
  await startOnce(true);
  for (let count = 0; count < STARTS; count++) await startOnce(false);
  console.log(`${STARTS} sequential starts, ms since the request was sent`);
  for (const [name, values] of figures) print(name, spread(values, name.includes("kB") ? 1 : 0));
  print("aim for the first picture", "p50 80  p99 150");
  const [started = [], running = []] = [figures.get("start to first frame"), figures.get(RUNNING)];
  print("start by baseline, p50", (percentile(started, 0.5) / percentile(running, 0.5)).toFixed(2));
  print("taps without a reaction", `${lostTaps} of ${STARTS}`);

  figures = new Map();
  await server.operate("warm", "set", recipe.uuid, "2");
  for (let count = 0; count < HAND_OUTS; count++) {
    await eventually("a device is kept ready", isWarm, TIMEOUT_MS);
    await startOnce(false);
  }
  console.log(`${HAND_OUTS} sequential starts of devices that were kept ready, ms since the request was sent`);
  for (const name of [
    "start request answered",
    "row ONLINE",
    "start to first picture",
    "start to first frame",
    "start to first reaction to a tap",
  ])
    print(name, spread(figures.get(name) ?? [], 0));
  print("of them booted first", String(figures.get("row in BOOTING")?.length ?? 0));
  print("aim for the first picture", "1000");
  console.log(
    "  The first picture is the one that comes over the socket while WebRTC connects, or the first frame of the video if that is earlier.\n" +
      "  The first frame counts when all packets of its key frame have arrived. The tap is on an icon of the home screen, sent once\n" +
      "  the first frame has arrived and the events channel is open; the reaction is the first frame of the animation that follows.",
  );
} finally {
  socket.close();
  await server.stop();
  cleanup();
}
