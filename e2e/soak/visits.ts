import type { Instance } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { stockAdb } from "../support/adb.ts";
import { type HalfWay, Viewer, ViewerClosed } from "../support/viewer.ts";
import type { Fleet } from "./fleet.ts";
import type { Tally } from "./tally.ts";

export interface VisitDeps {
  client: Client;
  fleet: Fleet;
  tally: Tally;
  /** Aborted: visitors leave at once. */
  over: AbortSignal;
}

/** What a visitor does with a device. Rejects if something fails. */
export type Visit = (device: Instance, deps: VisitDeps) => Promise<void>;

const sleeper = fileURLToPath(new URL("sleeper.ts", import.meta.url));
/** As long as it may take on a busy machine, as opposed to never. */
const PICTURE_MS = 30_000;
/** As above: a tap without a changed picture by then is lost, not late. */
const REACTION_MS = 10_000;
/** The gateway looks every 15 s whether viewers live, and ends those that did not answer the last time. */
const ASLEEP_MS = 35_000;
/** The gateway waits 10 s for a token. */
const NO_TOKEN_MS = 20_000;
const MAX_STAY_MS = 8_000;
const MAX_TAP_PAUSE_MS = 1_500;
/** The display is not ready (1013), or its gateway restarts or has lost the device's adb (1012). */
const TRY_AGAIN_LATER: ReadonlySet<number> = new Set([1012, 1013]);
const COME_BACK_MS = 3_000;
const MAX_TRIES = 3;
/** Between the loss of one connection and that of the other. */
const HALF_MS = 2_000;
/** Where a phone's home screen has the Latency app. Once open, it changes with each touch. */
const ICON = { across: 0.5, down: 0.864 };

/**
 * Makes one visit, and notes what it failed in, unless its device has been stopped. Who is told to try again later does, as the page does
 * by itself.
 */
export async function makeVisit(visit: Visit, device: Instance, deps: VisitDeps, tries = MAX_TRIES): Promise<void> {
  const { fleet, tally, over } = deps;
  try {
    await visit(device, deps);
  } catch (error) {
    if (fleet.stopped.has(device.uuid)) tally.cutShort++;
    else if (error instanceof ViewerClosed && TRY_AGAIN_LATER.has(error.code) && tries > 1) {
      tally.comebacks++;
      await pause(COME_BACK_MS, over);
      if (!over.aborted) await makeVisit(visit, device, deps, tries - 1);
    } else
      tally.failures.push(`a visitor of ${device.uuid}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Looks, taps, looks on, and leaves in some way. */
function watch(leave: (viewer: Viewer) => unknown): Visit {
  return async (device, deps) => {
    const { tally, over } = deps;
    const began = performance.now();
    const viewer = open(device, deps);
    try {
      tally.watchers++;
      await viewer.until("the first picture", PICTURE_MS, () => viewer.pictures[0]);
      tally.firstPictureMs.push(performance.now() - began);
      await viewer.until("the events channel", PICTURE_MS, () => viewer.eventsOpen || undefined);
      const end = performance.now() + Math.random() * MAX_STAY_MS;
      do {
        await tap(viewer, tally);
        await pause(Math.random() * MAX_TAP_PAUSE_MS, over);
      } while (performance.now() < end && !over.aborted);
      await leave(viewer);
    } finally {
      tally.frames += viewer.pictures.length;
      viewer.close();
    }
  };
}

async function tap(viewer: Viewer, tally: Tally): Promise<void> {
  const at = viewer.tap(ICON.across, ICON.down);
  const changed = () => ((viewer.pictures.at(-1)?.at ?? 0) > at ? true : undefined);
  tally.taps++;
  await viewer.until("a changed picture", REACTION_MS, changed).catch((error: unknown) => {
    if (viewer.closed) throw error;
    tally.lostTaps++;
  });
}

/** Begins to connect, and does not go on. */
const giveUpHalfWay =
  (without: HalfWay): Visit =>
  async (device, deps) => {
    const viewer = open(device, deps, without);
    try {
      await viewer.until("admission", PICTURE_MS, () => viewer.steps.connection);
      await pause(Math.random() * MAX_STAY_MS, deps.over);
    } finally {
      viewer.close();
    }
  };

/** Sends no token, until it is sent away. */
const sayNothing: Visit = async (device, { tally, over }) => {
  tally.viewers++;
  const viewer = new Viewer(device.webrtc_url, new Promise(() => undefined));
  const left = () => viewer.close();
  over.addEventListener("abort", left);
  try {
    await viewer.until(
      "the end of the gateway's patience",
      NO_TOKEN_MS,
      () => viewer.closed ?? (over.aborted || undefined),
    );
  } finally {
    over.removeEventListener("abort", left);
    viewer.close();
  }
};

/** Watches in a process that is stopped, as a laptop is that falls asleep, and killed when the gateway must have noticed. */
export const fallAsleep: Visit = async (device, { client, tally, over }) => {
  tally.viewers++;
  const child = fork(sleeper, [device.webrtc_url, await tokenOf(client, device)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    const [said] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
    if (said !== "watching") throw new Error(`the one that falls asleep: ${String(said)}`);
    child.kill("SIGSTOP");
    await pause(ASLEEP_MS, over);
  } finally {
    child.kill("SIGKILL");
  }
};

/** Uses a device with adb, without a display. */
export const useAdb =
  (adb: Awaited<ReturnType<typeof stockAdb>>, addressOf: (uuid: string) => string): Visit =>
  async ({ uuid }, { tally }) => {
    const address = addressOf(uuid);
    const device = await adb.connect(address);
    const { stdout } = await device("shell", "getprop", "ro.product.model");
    if (stdout.trim() === "") throw new Error("adb: the device has no model");
    await device("exec-out", "screencap", "-p");
    await adb.run("disconnect", address);
    tally.adbSessions++;
  };

/** Most visitors watch. */
export const visits: readonly Visit[] = [
  ...Array.from({ length: 8 }, () => watch((viewer) => viewer.leave())),
  ...Array.from({ length: 5 }, () => watch((viewer) => viewer.close())),
  ...Array.from({ length: 2 }, () =>
    watch((viewer) => {
      viewer.closePeer();
      return sleep(HALF_MS);
    }),
  ),
  ...Array.from({ length: 2 }, () =>
    watch((viewer) => {
      viewer.destroySocket();
      return sleep(HALF_MS);
    }),
  ),
  giveUpHalfWay("offer"),
  giveUpHalfWay("addresses"),
  sayNothing,
];

function open(device: Instance, { client, tally }: VisitDeps, without?: HalfWay): Viewer {
  tally.viewers++;
  return new Viewer(device.webrtc_url, tokenOf(client, device), { without });
}

async function tokenOf(client: Client, { uuid }: Instance): Promise<string> {
  return (await client.instances.accessToken({ body: { instance_uuid: uuid } })).access_token;
}

export const pause = (ms: number, over: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: over }).catch(() => undefined);
