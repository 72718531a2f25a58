import type { KeySource } from "@terrarium/adb";
import { abortable, type Clock, within } from "@terrarium/clock";
import {
  type AdbAddress,
  type AdbPoolAccess,
  type DeviceRuntime,
  type FoundDevice,
  type Machine,
  type MachineCapability,
  type MachineRef,
  type MachineSpec,
  NoSlotError,
  placeOf,
  Turns,
} from "@terrarium/runtime";
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { lookBefore, undo } from "./clean-up.ts";
import { DeviceList } from "./device-list.ts";
import { label, removeLabel } from "./label.ts";
import type { PoolDevice } from "./pool-device.ts";
import { type Reservation, Reservations } from "./reservations.ts";
import { wirelessOf } from "./wireless.ts";

export interface AdbPoolOptions {
  /** Holds the reservations, in a folder of their own. */
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  /** The key by which devices know this installation. */
  adbKey: KeySource;
  /** Devices that answer adb over TCP. */
  endpoints?: readonly AdbAddress[];
  /** An adb server, whose devices are in the pool too. */
  server?: AdbAddress | undefined;
  /** Also what the adb server has connected on loopback; default false. */
  lendsLoopback?: boolean;
  /** How long a device that is in use may not answer before its session ends. */
  graceMs: number;
}

interface Held {
  machine: Machine;
  key: string;
  gone: AbortController;
  /** Aborts the wait for a device that does not answer. */
  waiting: AbortController | undefined;
}

const BEFORE_TIMEOUT_MS = 60_000;
const CLEAN_TIMEOUT_MS = 120_000;
/** For a device that nobody has used yet. Whoever gave up its start waits for it. */
const LABEL_TIMEOUT_MS = 2_000;
/** Between looks whether another process has cleaned a device up. */
const CLAIM_POLL_MS = 500;
/** A process that lends a device for longer has ended meanwhile. */
const LENDING_MS = 3 * BEFORE_TIMEOUT_MS;
/** A device whose clean-up has failed this often is left alone until it is plugged in again, and the operator is notified. */
const MAX_FAILURES = 5;

/** Lends devices that are there already: phones on a desk, emulators that run. One person has one at a time, and it is cleaned up after them. */
export function adbPool(options: AdbPoolOptions): DeviceRuntime {
  return new AdbPool(options);
}

class AdbPool implements DeviceRuntime {
  readonly name = "adb-pool";
  readonly wireless: AdbPoolAccess | undefined;
  readonly #options: AdbPoolOptions;
  readonly #reservations: Reservations;
  readonly #devices: DeviceList;
  readonly #held = new Map<string, Held>();
  readonly #process = randomUUID();
  /** Why devices could not be cleaned up, and how often they failed. */
  readonly #failures = new Map<string, { times: number; problem: string }>();
  /** Why devices could not be lent when that was tried last. */
  readonly #refused = new Map<string, string>();
  /** Devices that are being reserved at the moment, until that is over. */
  readonly #lending = new Map<string, Promise<void>>();
  /** The last work on each instance, and on each device. */
  readonly #turns = new Turns();
  readonly #end = new AbortController();

  constructor(options: AdbPoolOptions) {
    this.#options = options;
    this.wireless = options.server && wirelessOf(options.server, options.clock);
    this.#reservations = new Reservations(join(options.dataDir, this.name), options.log);
    this.#devices = new DeviceList({
      ...options,
      portOf: async (key) => (await this.#reservations.of(key))?.adb.port,
      onChange: (key) => this.#changed(key),
    });
  }

  place(): Promise<string> {
    return placeOf(this.#options.dataDir, this.name);
  }

  async prepare(): Promise<void> {
    await this.#devices.look();
  }

  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    return this.#turns.take(`start ${spec.id}`, () => this.#start(spec, signal));
  }

  async list(): Promise<MachineRef[]> {
    return (await this.#reservations.all()).filter(isUsed).map(({ id, boot }) => ({ id, boot }));
  }

  async adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    const reservation = await this.#find(id);
    if (!reservation) return undefined;
    if (reservation.boot === boot) {
      await this.#devices.look();
      const adb = this.#devices.of(reservation.key)?.address ?? reservation.adb;
      // Its port may have been taken meanwhile.
      if (adb.port !== reservation.adb.port) await this.#reservations.change({ ...reservation, adb });
      return this.#machine({ ...reservation, adb });
    }
    if (reservation.boot < boot) await this.#over(reservation, "a later boot is wanted");
    return undefined;
  }

  async stop(id: string): Promise<void> {
    const reservation = await this.#find(id);
    if (reservation) await this.#over(reservation, "stopped");
  }

  async found(): Promise<FoundDevice[]> {
    await this.#devices.look();
    const devices = this.#devices.all().map(async ({ key, facts, link, problem }) => {
      const reservation = await this.#reservations.of(key).catch(String);
      const unclean = typeof reservation === "string" ? reservation : reservation && this.#failures.get(key)?.problem;
      return {
        key,
        name: facts?.name ?? key,
        isFree: !reservation && link !== undefined,
        problem: unclean ?? problem ?? this.#refused.get(key),
        // One press offers this device alone, and not each that is like it.
        image: facts && { ...facts.image, artefact: `serial:${key}` },
        hardware: facts?.hardware,
      };
    });
    const others = this.#devices.unusable().map(({ serial: key, state }) => ({
      key,
      name: key,
      isFree: false,
      problem: state === "unauthorized" ? "unauthorized: accept the computer's key on its screen" : state,
    }));
    return [...(await Promise.all(devices)), ...others];
  }

  async shutdown(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.stop(id)));
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the pool was closed"));
    for (const { waiting } of this.#held.values()) waiting?.abort();
    this.#devices.close();
    await this.#turns.over();
  }

  async #start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    await abortable(this.#devices.look(), signal);
    const held = await this.#find(spec.id);
    if (held?.boot === spec.boot) return this.#machine(held);
    if (held && held.boot > spec.boot) throw new Error(`boot ${held.boot} of this device runs`);
    if (held) await this.#over(held, "a later boot starts");
    if (spec.layers.length > 0) throw new Error("a device of the pool cannot start from a saved state");
    const fitting = this.#devices.all().filter((device) => fits(device, spec));
    for (const device of fitting) {
      const machine = device.link && (await this.#lend(device, spec, signal));
      if (machine) return machine;
    }
    throw new NoSlotError(
      fitting.length === 0
        ? `no device of the pool is "${spec.image.artefact}" with API level ${spec.image.sdkVersion}`
        : `of ${fitting.length} devices that fit none is free`,
    );
  }

  /** Reserves a device; undefined if somebody else has it, or it fails. */
  async #lend({ key, address, link }: PoolDevice, spec: MachineSpec, signal: AbortSignal) {
    const { id, boot } = spec;
    const reservation: Reservation = { key, id, boot, adb: address, isOver: false, ...this.#lender() };
    if (!link || this.#lending.has(key)) return undefined;
    const { promise, resolve: over } = Promise.withResolvers<void>();
    this.#lending.set(key, promise);
    try {
      if (!(await this.#reservations.take(reservation))) return undefined;
      const owner = await this.#owner(key);
      const other = await this.#limited(BEFORE_TIMEOUT_MS, signal, (limited) => label(link, owner, limited));
      if (other !== undefined) throw new Error(`it is in use as ${other}`);
      reservation.before = await this.#limited(BEFORE_TIMEOUT_MS, signal, (limited) => lookBefore(link, limited));
      signal.throwIfAborted();
      // A process that slept for long may have lost it.
      const current = await this.#reservations.of(key);
      if (current?.by !== reservation.by || current.since !== reservation.since) throw new Error("it took too long");
      await this.#reservations.change(reservation);
      this.#failures.delete(key);
      this.#refused.delete(key);
      return this.#machine(reservation);
    } catch (error) {
      // Nobody has used it: as soon as its label is gone it can be had again.
      await this.#clean({ ...reservation, before: undefined });
      signal.throwIfAborted();
      const problem = `it could not be lent: ${String(error)}`;
      this.#refused.set(key, problem);
      this.#options.log(`the device ${key}: ${problem}`);
      return undefined;
    } finally {
      this.#lending.delete(key);
      over();
    }
  }

  #machine(reservation: Reservation): Machine {
    const { id, boot, key } = reservation;
    const held = this.#held.get(id);
    if (held?.machine.boot === boot) return held.machine;
    const capabilities = new Set<MachineCapability>();
    if (this.#devices.of(key)?.facts?.bringsScrcpy) capabilities.add("scrcpy");
    const gone = new AbortController();
    const machine: Machine = {
      id,
      boot,
      adb: this.#devices.of(key)?.address ?? reservation.adb,
      capabilities,
      gone: gone.signal,
      stop: async () => {
        const current = await this.#find(id);
        if (current?.boot === boot) await this.#over(current, "stopped");
      },
    };
    this.#held.set(id, { machine, key, gone, waiting: undefined });
    this.#changed(key);
    return machine;
  }

  /** A device answers, or does not any more. */
  #changed(key: string): void {
    if (this.#end.signal.aborted) return;
    const device = this.#devices.of(key);
    for (const held of this.#held.values()) {
      if (held.key !== key) continue;
      if (device?.link && device.address.port === held.machine.adb.port) {
        held.waiting?.abort();
        held.waiting = undefined;
      } else void this.#endUnlessBack(held, device?.problem ?? "it was unplugged");
    }
    if (device?.link)
      this.#cleanAgain(key).catch((error: unknown) =>
        this.#options.log(`the reservation of ${key} could not be read: ${String(error)}`),
      );
  }

  async #endUnlessBack(held: Held, why: string): Promise<void> {
    if (held.waiting) return;
    const waiting = (held.waiting = new AbortController());
    const { id, boot } = held.machine;
    this.#options.log(`the device ${held.key}, in use by ${id}, is away: ${why}`);
    try {
      await this.#options.clock.sleep(this.#options.graceMs, waiting.signal);
    } catch {
      return;
    }
    const reservation = await this.#find(id);
    if (reservation?.boot === boot) await this.#over(reservation, why);
  }

  /** Cleans what could not be cleaned before, since the device was away. */
  async #cleanAgain(key: string): Promise<void> {
    // Who asks for it may find that it is still reserved, and would not clean it.
    await this.#lending.get(key);
    const reservation = await this.#reservations.of(key);
    if (!reservation || isUsed(reservation)) return;
    if (this.#lending.has(key)) return this.#cleanAgain(key);
    const { by, since, isOver } = reservation;
    const { clock } = this.#options;
    const lentUntil = isOver || by === this.#process ? 0 : since + LENDING_MS;
    if (lentUntil <= clock.now()) return this.#clean(reservation);
    // Another process with this data folder lends it, or did when it ended.
    await clock.sleep(lentUntil - clock.now(), this.#end.signal).catch(() => undefined);
    if (!this.#end.signal.aborted) await this.#cleanAgain(key);
  }

  #lender(): Pick<Reservation, "by" | "since"> {
    return { by: this.#process, since: this.#options.clock.now() };
  }

  /** Nobody uses the device any more. Resolves when it is clean; if it is away that is done when it is back. */
  async #over(reservation: Reservation, reason: string): Promise<void> {
    const held = this.#held.get(reservation.id);
    this.#held.delete(reservation.id);
    held?.waiting?.abort();
    const { key, id, boot } = reservation;
    await this.#turns.take(`clean ${key}`, async () => {
      // Somebody else may have ended it, and the device be lent again.
      const current = await this.#reservations.of(key);
      if (current?.id === id && current.boot === boot) await this.#reservations.change({ ...current, isOver: true });
    });
    held?.gone.abort(new Error(`the device is over: ${reason}`));
    await this.#clean(reservation);
  }

  #clean(reservation: Reservation): Promise<void> {
    const { key } = reservation;
    return this.#turns.take(`clean ${key}`, async () => {
      const timeoutMs = reservation.before ? CLEAN_TIMEOUT_MS : LABEL_TIMEOUT_MS;
      if (!(await this.#claim(reservation, timeoutMs))) return;
      try {
        await this.#cleanOnce(reservation, timeoutMs);
      } finally {
        await this.#reservations.release(key, this.#process);
      }
    });
  }

  /** Waits until no other process cleans it; false when there is nothing to clean any more. */
  async #claim({ key, id, boot }: Reservation, timeoutMs: number): Promise<boolean> {
    const { clock } = this.#options;
    for (;;) {
      const now = clock.now();
      const isTaken = await this.#reservations.claim(key, this.#process, { now, until: now + 2 * timeoutMs });
      const current = await this.#reservations.of(key);
      const isOpen = current?.id === id && current.boot === boot;
      if (isTaken && isOpen) return true;
      if (isTaken) await this.#reservations.release(key, this.#process);
      if (!isOpen || this.#end.signal.aborted) return false;
      await clock.sleep(CLAIM_POLL_MS, this.#end.signal).catch(() => undefined);
    }
  }

  async #cleanOnce({ key, before }: Reservation, timeoutMs: number): Promise<void> {
    const { log } = this.#options;
    const link = this.#devices.of(key)?.link;
    if (!link) return log(`the device ${key} is away, and will be cleaned up when it is back`);
    let left: string[] = [];
    try {
      await this.#limited(timeoutMs, this.#end.signal, async (signal) => {
        left = before ? await undo(link, before, signal) : [];
        if (left.length > 0) throw new Error(`these are left: ${left.join("; ")}`);
        // Who used it may have changed the label, which was ours.
        if (before || (await label(link, await this.#owner(key), signal)) === undefined)
          await removeLabel(link, signal);
      });
      await this.#reservations.remove(key);
      this.#failures.delete(key);
    } catch (error) {
      if (this.#end.signal.aborted) return;
      const problem = `it could not be cleaned up: ${String(error)}`;
      log(`the device ${key}: ${problem}`);
      const times = (this.#failures.get(key)?.times ?? 0) + (link.gone.aborted ? 0 : 1);
      this.#failures.set(key, { times, problem });
      // It is linked again, and then this is retried.
      if (left.length === 0 && times < MAX_FAILURES) link.close();
    }
  }

  async #owner(key: string): Promise<string> {
    return `${await this.place()} ${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  }

  async #find(id: string): Promise<Reservation | undefined> {
    return (await this.#reservations.all()).find((one) => one.id === id && isUsed(one));
  }

  #limited<Result>(ms: number, signal: AbortSignal, work: (limited: AbortSignal) => Promise<Result>): Promise<Result> {
    return within(ms, this.#options.clock, signal, work);
  }
}

const isUsed = ({ isOver, before }: Reservation): boolean => !isOver && before !== undefined;

/** `model:Pixel 7` is each such device with the image's API level, `serial:R5CT10XYZAB` or `serial:host:port` one device. */
function fits({ key, facts }: PoolDevice, { image: { artefact, sdkVersion } }: MachineSpec): boolean {
  if (artefact.startsWith("serial:")) return key === artefact.slice("serial:".length);
  return facts?.image.artefact === artefact && facts.image.sdkVersion === sdkVersion;
}
