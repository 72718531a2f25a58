import { type Clock, every } from "@terrarium/clock";
import { endedStates, type InstanceState } from "@terrarium/contract";
import type { DeviceRuntime, Machine } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import { Gate } from "../../platform/gate.ts";
import type { Logger } from "../../platform/log.ts";
import { superviseDevice, type SupervisedDevice, type SupervisedDeviceDeps } from "./supervised-device.ts";
import {
  type ClaimedInstance,
  claimInstances,
  dropLeases,
  dropLeasesOf,
  findBoots,
  type Held,
  listHeld,
  type Reach,
  writeTimes,
} from "./leases.store.ts";
import { BEAT_MS, isTaken, watchGateways } from "./gateways.ts";
import type { DeviceLink } from "./live-device.ts";
import { moveInstance } from "./move-instance.ts";
import { nextStep } from "./next-step.ts";
import { claimQueued, kindOf, kindOfClaimed, listWaiting, nextInQueue, type Waiting } from "./queue.ts";

/** How often machines that no row knows are looked for. */
const SWEEP_MS = 60_000;
const CLAIMED_AT_ONCE = 50;
/** Of hundreds that are taken over from a gateway that died. Others wait, so that beats, claims and viewers do not. */
const LINKED_AT_ONCE = 16;

export interface SupervisorDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  /** By the name an OS image asks for. */
  runtimes: ReadonlyMap<string, DeviceRuntime>;
  connect(instance: string, machine: Machine, signal: AbortSignal): Promise<DeviceLink>;
  /** Names this gateway in leases. One that starts again under the same name takes its devices back at once. */
  holder: string;
  /** Those in which devices are started here; null for all. */
  zones: readonly string[] | null;
  /** The longest that a device runs without its gateway. */
  keepDevicesMs: number;
}

/**
 * Brings devices in line with their rows: leases those that nobody supervises, runs them, ends those whose row or time says so. It can be
 * killed at any point; the next one finds the rest in the rows and in what the runtimes list.
 */
export class Supervisor {
  readonly #deps: SupervisedDeviceDeps;
  readonly #lives = new Map<string, SupervisedDevice>();
  /** The epochs of devices that were ours at the last renewal and that nothing here supervised. */
  #unsupervised = new Map<string, number>();
  /** Where machines of our runtimes run. */
  #reach: readonly Reach[] = [];
  /** Whether anything waited when the queue was read last. */
  #hasQueue = false;
  /** The kinds for which there was no room here, since something has ended last. */
  readonly #full = new Set<string>();
  /** How many devices have ended, as far as is known here. */
  #endings = 0;
  readonly #watchGateways: () => Promise<unknown>;
  readonly #end = new AbortController();
  #wake = Promise.withResolvers<void>();
  #running: Promise<unknown> | undefined;

  constructor(deps: SupervisorDeps) {
    const relinks = new Gate({ maxRunning: LINKED_AT_ONCE, maxWaiting: Infinity, maxWaitingPerLane: Infinity });
    this.#deps = { ...deps, relinks };
    this.#watchGateways = watchGateways(deps.db, deps.clock);
  }

  async start(): Promise<void> {
    await dropLeases(this.#deps.db, this.#deps.holder);
    await this.#watchGateways();
    await this.#sweep();
    const { clock } = this.#deps;
    const signal = this.#end.signal;
    this.#running = Promise.all([
      this.#claimOnWake(signal),
      every(clock, BEAT_MS, () => this.#attempt(() => this.#renew()), signal),
      every(clock, SWEEP_MS, () => this.#attempt(() => this.#sweep()), signal),
    ]);
  }

  /** Lets go of every device; with `endDevices` ends them all first. Resolves when nothing of it runs. */
  async stop({ endDevices }: { endDevices: boolean }): Promise<void> {
    this.#end.abort();
    this.#wake.resolve();
    await this.#running;
    // Also those that wait, and those that nobody has claimed yet, so that none starts later.
    if (endDevices) await this.#attempt(() => this.#endWaiting());
    if (endDevices) while ((await this.#attempt(() => this.#claim())) === CLAIMED_AT_ONCE);
    const lives = [...this.#lives.values()];
    const held = [...this.#lives].map(([uuid, { epoch }]) => ({ uuid, epoch }));
    await Promise.all(lives.map((life) => (endDevices ? life.shutDown() : life.leave())));
    // Only these: the next gateway of this name may have begun already.
    await dropLeasesOf(this.#deps.db, this.#deps.holder, held);
  }

  /** A row changed: look at it now rather than at the next turn. */
  changed(instance: string, state: InstanceState): void {
    this.#lives.get(instance)?.stateChanged(state);
    // Room for one that waits, or another's turn.
    if (endedStates.includes(state)) {
      this.#endings++;
      this.#full.clear();
    }
    if (state === "CREATING" || state === "STOPPING" || this.#hasQueue) this.lookNow();
  }

  lookNow(): void {
    this.#wake.resolve();
  }

  /** Somebody used the device. */
  used(instance: string): void {
    this.#lives.get(instance)?.time.used();
  }

  async #claimOnWake(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      const claimed = await this.#attempt(() => this.#claim());
      if (claimed === CLAIMED_AT_ONCE) continue;
      await this.#wake.promise;
    }
  }

  async #claim(): Promise<number> {
    const { db, holder, zones } = this.#deps;
    const claimer = { holder, zones, reach: this.#reach };
    const rows = await claimInstances(db, claimer, CLAIMED_AT_ONCE);
    this.#supervise(rows);
    for (const next of await this.#turn()) this.#supervise(await claimQueued(db, claimer, next));
    return rows.length;
  }

  #supervise(rows: readonly ClaimedInstance[]): void {
    for (const row of rows) {
      // A life of ours that lost its lease and is not over yet must be before the next begins.
      const before = this.#lives.get(row.uuid)?.leave();
      const life = superviseDevice(this.#deps, row, before);
      const endings = this.#endings;
      this.#lives.set(row.uuid, life);
      void life.over.then(() => {
        if (this.#lives.get(row.uuid) === life) this.#lives.delete(row.uuid);
        if (!life.hadNoRoom()) return;
        // Otherwise room may have come while this one was tried.
        if (endings === this.#endings) this.#full.add(kindOfClaimed(row));
        else this.lookNow();
      });
    }
  }

  /** Whose turn it is of the devices that wait, unless there was no room for their kind a moment ago. */
  async #turn(): Promise<Waiting[]> {
    const waiting = await listWaiting(this.#deps.db);
    this.#hasQueue = waiting.length > 0;
    const next = nextInQueue(waiting, (uuid) => this.#lives.has(uuid));
    return next.filter((one) => this.#isReached(one) && !this.#full.has(kindOf(one)));
  }

  /** Whether devices of the kind are started here. */
  #isReached({ zone, runtime }: Waiting): boolean {
    return (this.#deps.zones?.includes(zone) ?? true) && this.#deps.runtimes.has(runtime);
  }

  /** Ends those that wait for this gateway alone: they would start with the next one. Those that are tried end as any other. */
  async #endWaiting(): Promise<void> {
    const { db, clock, holder } = this.#deps;
    for (const one of await listWaiting(db))
      if (!one.is_tried && this.#isReached(one) && !(await isTaken(db, one.zone, { other: holder })))
        await moveInstance(db, { uuid: one.uuid, event: "stop", reason: "shutdown", now: new Date(clock.now()) });
  }

  async #renew(): Promise<void> {
    const { db, holder } = this.#deps;
    // Those claimed while the rows are read may be missing among them: they are looked at next time.
    const lives = [...this.#lives];
    await writeTimes(
      db,
      lives.map(([uuid, { epoch, isWarm, time }]) => ({ uuid, epoch, isWarm: isWarm(), time: time.read() })),
    );
    const held = new Map((await listHeld(db, holder)).map((row) => [row.uuid, row]));
    for (const [uuid, life] of lives) {
      const row = held.get(uuid);
      if (row?.lease_epoch !== life.epoch) life.leaseLost();
      else {
        await this.#endInTime(row, life);
        life.stateChanged(row.state);
      }
    }
    await this.#dropUnsupervised([...held.values()]);
    await this.#watchGateways();
    this.#full.clear();
    // Claims what others lost, and what a lost notification would have said.
    this.lookNow();
  }

  /** Ends a device whose time is up: unused too long, run too long, never come up. */
  async #endInTime(row: Held, { epoch, time, isOnline }: SupervisedDevice): Promise<void> {
    // What was measured is of another phase while the life has not heard yet that its device came online.
    const step = (row.state === "ONLINE") === isOnline() ? nextStep({ ...row, ...time.read() }) : undefined;
    const now = new Date(this.#deps.clock.now());
    if (step) await moveInstance(this.#deps.db, { uuid: row.uuid, ...step, epoch, now });
  }

  /**
   * A life may end without its row saying so, when the database was away for longer than it could wait, and a claim be written of
   * whose success nobody heard: such a device is let go, and claimed like any other. Seen once it may be one that is being claimed.
   */
  async #dropUnsupervised(held: Held[]): Promise<void> {
    const unsupervised = held.filter(({ uuid }) => !this.#lives.has(uuid));
    const seenTwice = unsupervised
      .filter(({ uuid, lease_epoch }) => this.#unsupervised.get(uuid) === lease_epoch)
      .map(({ uuid, lease_epoch: epoch }) => ({ uuid, epoch }));
    this.#unsupervised = new Map(unsupervised.map(({ uuid, lease_epoch }) => [uuid, lease_epoch]));
    await dropLeasesOf(this.#deps.db, this.#deps.holder, seenTwice);
  }

  /** A runtime that does not answer, such as a cluster that is away, does not hold up the others. */
  async #findPlaces(): Promise<void> {
    const missing = [...this.#deps.runtimes.values()].filter(
      ({ name }) => !this.#reach.some(({ runtime }) => runtime === name),
    );
    const found = await Promise.all(
      missing.map(async (runtime) => ({
        runtime: runtime.name,
        place: await this.#attempt(async () => await runtime.place()),
      })),
    );
    this.#reach = [...this.#reach, ...found.filter((one): one is Reach => one.place !== undefined)];
  }

  /** Ends machines that belong to no supervised device, or to an earlier boot of one. */
  async #sweep(): Promise<void> {
    await this.#findPlaces();
    for (const { runtime: name, place } of this.#reach) {
      const runtime = this.#deps.runtimes.get(name);
      const machines = (await this.#attempt(async () => runtime?.list())) ?? [];
      const boots = await findBoots(
        this.#deps.db,
        place,
        machines.map(({ id }) => id),
      );
      for (const { id, boot } of machines) {
        if (boots.get(id) === boot) continue;
        this.#deps.log.warn({ instance: id, boot }, "a machine without a device is ended");
        // One that cannot be ended holds up neither the others nor the start of the gateway.
        await this.#attempt(async () => runtime?.stop(id));
      }
    }
  }

  /** The database may be away for a while; the next turn tries again. */
  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#deps.log.error({ err: error }, "supervising devices failed; trying again");
      return undefined;
    }
  }
}
