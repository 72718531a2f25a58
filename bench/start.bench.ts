import { type InstanceChange, socketPath } from "@terrarium/contract";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { eventually } from "@terrarium/e2e/support/instances.ts";
import { cleanup } from "node-datachannel";
import { io } from "socket.io-client";
import { print, spread } from "./support/figures.ts";
import { Viewer } from "./support/viewer.ts";

/**
 * How long somebody waits who starts a device: until its first picture, and until its first answer to a finger. The viewer
 * opens the display as soon as the start is answered, as the web app does, and decodes nothing.
 */

const STARTS = 50;
const PATIENCE_MS = 15_000;
/** A tap whose answer has not begun by then counts as lost. The home screen's own next picture is a clock's minute. */
const ANSWER_MS = 1_000;
/** An icon that opens an app is a movement: so many pictures make sure that it was the tap that was answered. */
const MOVEMENT_PICTURES = 3;
/** The middle of the dock of a phone in portrait, where the Latency app is, as shares of the screen. */
const ICON = { across: 0.5, down: 0.864 };

const server = await TestServer.start();
const { client, token } = await server.signIn(demo.manager);
const recipe = (await client.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } })).results[0];
if (!recipe) throw new Error("there is no Phone 6.1");

// Changes carry the server's own time of each state; both clocks are this machine's.
const changes: InstanceChange[] = [];
const socket = io(new URL(server.url).origin, {
  path: socketPath,
  transports: ["websocket"],
  query: { token: `Bearer ${token}` },
});
socket.on("instances", ({ data }: { data: InstanceChange }) => changes.push(data));
socket.on("connect", () => socket.emit("subscribe", { tags: ["instances"] }));

/** Figures by their name, in the order in which they first came. */
const figures = new Map<string, number[]>();
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
    const picture = await viewer.until("the first picture", PATIENCE_MS, () => viewer.pictures.find((p) => p.keyFrame));
    await viewer.until("the events' channel", PATIENCE_MS, () => viewer.eventsOpen || undefined);
    const tapped = viewer.tap(ICON.across, ICON.down);
    const answer = await viewer
      .until("an answer to the tap", ANSWER_MS, () => {
        const after = viewer.pictures.filter(({ at }) => at > tapped);
        return after.length >= MOVEMENT_PICTURES ? after[0] : undefined;
      })
      .catch(() => undefined);
    if (first) {
      console.log("Start to picture, the first of this server");
      print("start to first picture (ms)", (picture.at - began).toFixed(0));
      return;
    }
    const stateAt = (state: InstanceChange["state"]) => {
      const change = changes.find((one) => one.uuid === uuid && one.state === state);
      return change && Date.parse(change.updated_at) - performance.timeOrigin - began;
    };
    add("start to first picture", picture.at - began);
    if (answer) {
      add("start to first answered tap", answer.at - began);
      add("  tap sent to first changed picture", answer.at - tapped);
    } else lostTaps++;
    add("start answered (POST)", answered - began);
    add("row in STARTING", stateAt("STARTING"));
    add("row in BOOTING", stateAt("BOOTING"));
    add("row ONLINE", stateAt("ONLINE"));
    add("viewer told that the device is there", since(began, viewer.steps.connection));
    add("offer answered", since(began, viewer.steps.answer));
    add("video open (ICE, DTLS)", since(began, viewer.steps.trackOpen));
    add("events' channel open", since(began, viewer.steps.eventsOpen));
    add("first key frame, kB", picture.bytes / 1024);
  } finally {
    viewer.close();
    await client.instances.stop({ params: { uuid } });
    await eventually("it ended", async () => changes.some((one) => one.uuid === uuid && one.state === "DELETED"));
  }
}

const since = (began: number, step: number | undefined) => (step === undefined ? undefined : step - began);

try {
  await eventually("the socket is open", async () => socket.connected);
  await startOnce(true);
  for (let count = 0; count < STARTS; count++) await startOnce(false);
  console.log(`${STARTS} starts one after the other, ms since the request was sent`);
  for (const [name, values] of figures) print(name, spread(values, name.includes("kB") ? 1 : 0));
  print("taps without an answer", `${lostTaps} of ${STARTS}`);
  console.log(
    "  A picture counts when all packets of its key frame are here. The tap is on an icon of the home screen, sent when\n" +
      "  the first picture and the events' channel are there; its answer is the first picture of the movement that follows.",
  );
} finally {
  socket.close();
  await server.stop();
  cleanup();
}
