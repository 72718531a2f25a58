import type { InstanceEvent, InstanceState, SaveError } from "@terrarium/contract";
import { abortable, aborted } from "@terrarium/clock";
import { type Machine, NoSlotError } from "@terrarium/runtime";
import { isUnavailable } from "../../platform/db/database-errors.ts";
import type { Gate } from "../../platform/gate.ts";
import { inSpan } from "../../platform/tracing/in-span.ts";
import { DeviceTime, livedMs } from "./device-time.ts";
import type { SupervisorDeps } from "./supervisor.ts";
import { type DeviceLink, liveDevice, MachineGoneError, type Outcome } from "./live-device.ts";
import { type ClaimedInstance, findHeldState } from "./leases.store.ts";
import { machineSpecOf } from "./machine-spec.ts";
import { moveInstance } from "./move-instance.ts";
import { putBack } from "./queue.store.ts";
import { finishSave, SAVE_TIMEOUT_MS, saveErrorOf, storeMachine } from "./saved-state.ts";

/** How long a broken link rests before it is made again. */
const RELINK_MS = 500;

/** How long a write waits for a database that is away, and between tries. */
const WRITE_TIMEOUT_MS = 30_000;
const REWRITE_MS = 500;

/** How many of `steps` a device in this state has behind it; a device that is taken over goes on from there. */
const progressOf: Partial<Record<InstanceState, number>> = {
  CREATING: 0,
  STARTING: 1,
  BOOTING: 2,
  CREATED: 3,
  ONLINE: 3,
  SAVING: 3,
};
const steps = ["powered", "answered", "booted"] as const;

export interface SupervisedDevice {
  epoch: number;
  /** Its time since it began to start, or came online. */
  time: DeviceTime;
  isOnline(): boolean;
  /** It was started ahead of time, and nobody has it yet, as far as is known here. */
  isWarm(): boolean;
  /** Nothing had room for it, and it waits. */
  hadNoRoom(): boolean;
  /** Resolves when nothing of it runs any more. */
  over: Promise<void>;
  /** The row is in this state now. */
  stateChanged(state: InstanceState): void;
  /** The row is no longer ours, or over. */
  leaseLost(): void;
  /** Lets go; the machine stays. */
  leave(): Promise<void>;
  /** Ends the device as its owner would. */
  shutDown(): Promise<void>;
}

export interface SupervisedDeviceDeps extends SupervisorDeps {
  /** Devices that run already are linked, and their displays opened, some at a time. */
  relinks: Gate;
}

/** Runs one claimed device and writes how far it got and how it ended. Starts when `before` is over. */
export function superviseDevice(
  deps: SupervisedDeviceDeps,
  row: ClaimedInstance,
  before: Promise<void> = Promise.resolve(),
): SupervisedDevice {
  const { db, clock, log } = deps;
  const stop = new AbortController();
  const leave = new AbortController();
  let saveAsked = new AbortController();
  if (row.state === "SAVING") saveAsked.abort();
  const epoch = row.lease_epoch;
  const time = new DeviceTime(clock, row, deps.keepDevicesMs);
  let progress = progressOf[row.state] ?? 0;
  let isWarm = row.is_warm;
  let hadNoRoom = false;
  /** It did not answer when it was linked to last. */
  let isSilent = false;
  let movedAt = livedMs(clock);
  const move = (event: InstanceEvent, more: { reason?: string; saveError?: SaveError; machine?: Machine } = {}) =>
    patiently(() => {
      movedAt = livedMs(clock);
      return moveInstance(db, {
        uuid: row.uuid,
        event,
        epoch,
        now: new Date(clock.now()),
        reason: more.reason,
        saveError: more.saveError,
        machine: more.machine && { adb: more.machine.adb, canSave: more.machine.capabilities.has("save") },
      });
    });
  /** A database that goes away may have written what it did not acknowledge. */
  const writtenProgress = () =>
    patiently(async () => {
      const state = await findHeldState(db, row.uuid, epoch);
      return (state && progressOf[state]) ?? 0;
    });

  const patiently = async <Written>(write: () => Promise<Written>, timeoutMs = WRITE_TIMEOUT_MS): Promise<Written> => {
    for (const deadline = clock.monotonic() + timeoutMs; ; await clock.sleep(REWRITE_MS, leave.signal)) {
      try {
        return await write();
      } catch (error) {
        if (!isUnavailable(error) || clock.monotonic() >= deadline) throw error;
      }
    }
  };

  /** Saves the machine when it is asked to, until it is saved or not alive any more. */
  const save = async (machine: Machine, alive: AbortSignal): Promise<void> => {
    while (true) {
      await aborted(AbortSignal.any([saveAsked.signal, alive]));
      if (!saveAsked.signal.aborted) return;
      // Whoever asks from now on is heard, too.
      saveAsked = new AbortController();
      try {
        if (await saveOnce(machine, alive)) return stop.abort();
      } catch (error) {
        // The next gateway saves it again.
        if (leave.signal.aborted && !stop.signal.aborted) return;
        log.error({ err: error, instance: row.uuid }, "a device could not be saved");
        if (alive.aborted) {
          await move("fail", { reason: "save_failed" });
          return stop.abort();
        }
        await letRunOn(saveErrorOf(error));
      }
    }
  };

  /** Answers whether the device is saved, and is to stop; not so if it was not to be saved. */
  const saveOnce = async (machine: Machine, alive: AbortSignal): Promise<boolean> => {
    const state = () => patiently(() => findHeldState(db, row.uuid, epoch));
    // A late event reports a save that has failed.
    if ((await state()) !== "SAVING") return false;
    const saving = { db, clock, uuid: row.uuid, epoch };
    // Layers that are stored already are not stored again.
    const layers = await patiently(() => storeMachine(saving, machine, alive), SAVE_TIMEOUT_MS);
    const isSaved = await patiently(() => finishSave(saving, layers));
    // The database may have written what it did not acknowledge. Otherwise the lease is lost.
    if (!isSaved && (await state()) !== "SAVED") await endOf(alive);
    await move("stop");
    return true;
  };

  /** Its save has failed, and nothing is lost: its owner may save it again, or take what they need. */
  const letRunOn = async (saveError: SaveError): Promise<void> => {
    time.used();
    await move("saveFailed", { saveError }).catch((error: unknown) =>
      // It is still SAVING, so the next renewal reports it again.
      log.error({ err: error, instance: row.uuid }, "a failed save was not written"),
    );
  };

  const live = async (): Promise<Outcome> => {
    const runtime = deps.runtimes.get(row.snapshot.osImage.runtime);
    if (!runtime) return { end: "failed", error: new Error(`there is no runtime ${row.snapshot.osImage.runtime}`) };
    if (progressOf[row.state] === undefined) {
      // It was being ended when somebody else let go of it, or was saved.
      await runtime.stop(row.uuid);
      return { end: "stopped" };
    }
    const traced = { "terrarium.instance": row.uuid, "terrarium.runtime": runtime.name };
    /** Hundreds of viewers may come back at once. */
    const inTurn = (link: DeviceLink): DeviceLink => ({
      ...link,
      openDisplay: (signal) => {
        const opened = deps.relinks.run("display", () => {
          signal.throwIfAborted();
          return link.openDisplay(signal);
        });
        return abortable(opened, signal);
      },
    });
    return liveDevice(
      {
        power: async (signal) => {
          const spec = machineSpecOf(row);
          if (progress < steps.length) return inSpan("start machine", traced, () => runtime.start(spec, signal));
          // A runtime may wait long for a host that does not answer.
          const machine = await abortable(runtime.adopt(spec), leave.signal);
          if (!machine) throw new MachineGoneError("the machine did not outlive the gateway");
          return machine;
        },
        connect: (machine, signal) => {
          const connect = async () => {
            signal.throwIfAborted();
            isSilent = true;
            const link = await inSpan("connect", traced, () => deps.connect(row.uuid, machine, signal));
            isSilent = false;
            return link;
          };
          if (progress < steps.length) return connect();
          // Those that do not answer take turns with the others.
          return abortable(deps.relinks.run(isSilent ? "again" : "first", connect), signal).then(inTurn);
        },
        reached: async (event, machine) => {
          if (steps.indexOf(event) < progress) return;
          const moved = await move(event === "booted" && isWarm ? "warmed" : event, { machine });
          // Somebody moved first: the row says stop, or is another's. What it says comes by `stateChanged`.
          if (!moved && (await writtenProgress()) <= progress) await endOf(stop.signal, leave.signal);
          progress++;
          if (event === "booted") time.restart(movedAt);
        },
        wasBooted: () => progress === steps.length,
        save,
        pause: (signal) => clock.sleep(RELINK_MS, signal),
        report: (error) => log.warn({ err: error, instance: row.uuid }, "the link to a device broke"),
      },
      { stop: stop.signal, leave: leave.signal },
    );
  };

  const run = async (): Promise<void> => {
    await before;
    if (leave.signal.aborted) return;
    const outcome = await live();
    if (outcome.end === "left") return;
    if (outcome.end === "failed" && row.may_queue && outcome.error instanceof NoSlotError) {
      const now = new Date(clock.now());
      hadNoRoom = await patiently(() => putBack(db, { uuid: row.uuid, epoch, now }));
      // Otherwise it was to stop by then.
      if (hadNoRoom) return;
    } else if (outcome.end === "failed") {
      log.error({ err: outcome.error, instance: row.uuid }, "a device failed");
      await move("fail", { reason: reasonOf(outcome.error) });
      return;
    }
    // These find nothing to do when the row ended another way, in an error or by expiry.
    await move("stop");
    await move("stopped");
    await move("deleted");
  };

  const over = run().catch((error: unknown) =>
    log.error({ err: error, instance: row.uuid }, "the end of a device was not written"),
  );
  return {
    epoch,
    time,
    isOnline: () => progress === steps.length && !isWarm,
    isWarm: () => isWarm,
    hadNoRoom: () => hadNoRoom,
    over,
    stateChanged: (state) => {
      if (state === "SAVING") saveAsked.abort();
      // Whoever did not hear that it came online may hear what followed.
      if (isWarm && (state === "ONLINE" || state === "SAVING")) {
        // Handed out: its time is that of whoever has it.
        isWarm = false;
        time.restart(livedMs(clock));
      }
      if (progressOf[state] === undefined) stop.abort();
    },
    leaseLost: () => leave.abort(),
    leave: () => (leave.abort(), over),
    shutDown: async () => {
      await moveInstance(db, { uuid: row.uuid, event: "stop", now: new Date(clock.now()), reason: "shutdown" }).catch(
        (error: unknown) => log.error({ err: error, instance: row.uuid }, "the end of a device could not be announced"),
      );
      stop.abort();
      await over;
    },
  };
}

const reasonOf = (error: unknown): string => {
  if (error instanceof NoSlotError) return "no_slot_available";
  return error instanceof MachineGoneError ? "machine_gone" : "failed";
};

const endOf = (...signals: AbortSignal[]): Promise<never> =>
  new Promise((_, reject) => {
    const any = AbortSignal.any(signals);
    if (any.aborted) return reject(any.reason);
    any.addEventListener("abort", () => reject(any.reason), { once: true });
  });
