import { type Clock, every } from "@terrarium/clock";
import type { InstanceState } from "@terrarium/contract";
import type { DeviceRuntime, Machine } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import type { Logger } from "../../platform/log.ts";
import { superviseDevice, type SupervisedDevice } from "./supervised-device.ts";
import {
  claimInstances,
  dropLeases,
  dropLeasesOf,
  type Held,
  writeActivity,
  findBoots,
  renewLeases,
} from "./leases.store.ts";
import type { DeviceLink } from "./live-device.ts";

/** How often leases are renewed: three may be missed before another gateway takes over. */
const RENEW_MS = 3_000;
/** How often machines that no row knows are looked for. */
const SWEEP_MS = 60_000;
const CLAIMED_AT_ONCE = 50;

export interface SupervisorDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  /** By the name an OS image asks for. */
  runtimes: ReadonlyMap<string, DeviceRuntime>;
  connect(instance: string, machine: Machine, signal: AbortSignal): Promise<DeviceLink>;
  /** Names this gateway in leases. One that starts again under the same name takes its devices back at once. */
  holder: string;
}

/**
 * Brings devices in line with their rows: leases those that nobody supervises, runs them, ends those whose row says so. It can be killed at any point; the next one finds the rest in the rows and in what the runtimes list.
 */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #lives = new Map<string, SupervisedDevice>();
  /** The epochs of devices that were ours at the last renewal and that nothing here supervised. */
  #unsupervised = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #end = new AbortController();
  #wake = Promise.withResolvers<void>();
  #running: Promise<unknown> | undefined;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await dropLeases(this.#deps.db, this.#deps.holder);
    await this.#sweep();
    const { clock } = this.#deps;
    const signal = this.#end.signal;
    this.#running = Promise.all([
      this.#claimOnWake(signal),
      every(clock, RENEW_MS, () => this.#attempt(() => this.#renew()), signal),
      every(clock, SWEEP_MS, () => this.#attempt(() => this.#sweep()), signal),
    ]);
  }

  /** Lets go of every device; with `endDevices` ends them all first. Resolves when nothing of it runs. */
  async stop({ endDevices = false } = {}): Promise<void> {
    this.#end.abort();
    this.#wake.resolve();
    await this.#running;
    const lives = [...this.#lives.values()];
    await Promise.all(lives.map((life) => (endDevices ? life.shutDown() : life.leave())));
    await dropLeases(this.#deps.db, this.#deps.holder);
  }

  /** A row changed: look at it now rather than at the next turn. */
  changed(instance: string, state: InstanceState): void {
    this.#lives.get(instance)?.stateChanged(state);
    if (state === "CREATING" || state === "STOPPING") this.lookNow();
  }

  lookNow(): void {
    this.#wake.resolve();
  }

  /** Somebody used the device; written with the next renewal. */
  used(instance: string): void {
    this.#used.set(instance, this.#deps.clock.now());
  }

  get devices(): number {
    return this.#lives.size;
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
    const { db, clock, holder } = this.#deps;
    const rows = await claimInstances(db, holder, new Date(clock.now()), CLAIMED_AT_ONCE);
    for (const row of rows) {
      // A life of ours that lost its lease and is not over yet must be before the next begins.
      const before = this.#lives.get(row.uuid)?.leave();
      const life = superviseDevice(this.#deps, row, before);
      this.#lives.set(row.uuid, life);
      void life.over.then(() => {
        if (this.#lives.get(row.uuid) === life) this.#lives.delete(row.uuid);
      });
    }
    return rows.length;
  }

  async #renew(): Promise<void> {
    const { db, clock, holder } = this.#deps;
    const used = new Map(this.#used);
    this.#used.clear();
    await writeActivity(db, used);
    // Those claimed while the rows are read may be missing among them: they are looked at next time.
    const lives = [...this.#lives];
    const held = new Map((await renewLeases(db, holder, new Date(clock.now()))).map((row) => [row.uuid, row]));
    for (const [uuid, life] of lives) {
      const row = held.get(uuid);
      if (row && row.lease_epoch === life.epoch) life.stateChanged(row.state);
      else life.leaseLost();
    }
    await this.#dropUnsupervised([...held.values()]);
    // Claims what expired elsewhere, and what a lost notification would have said.
    this.lookNow();
  }

  /**
   * A life may end without its row saying so, when the database was away for longer than it could wait, and a claim be written of
   * whose success nobody heard: such a device is let go, and claimed like any other. Seen once it may be one that is being claimed.
   */
  async #dropUnsupervised(held: Held[]): Promise<void> {
    const unsupervised = held.filter(({ uuid }) => !this.#lives.has(uuid));
    const seenTwice = unsupervised.filter(({ uuid, lease_epoch }) => this.#unsupervised.get(uuid) === lease_epoch);
    this.#unsupervised = new Map(unsupervised.map(({ uuid, lease_epoch }) => [uuid, lease_epoch]));
    await dropLeasesOf(this.#deps.db, this.#deps.holder, seenTwice);
  }

  /** Ends machines that belong to no supervised device, or to an earlier boot of one. */
  async #sweep(): Promise<void> {
    for (const runtime of this.#deps.runtimes.values()) {
      const machines = await runtime.list();
      const boots = await findBoots(
        this.#deps.db,
        machines.map(({ id }) => id),
      );
      for (const { id, boot } of machines) {
        if (boots.get(id) === boot) continue;
        this.#deps.log.warn({ instance: id, boot }, "a machine without a device is ended");
        await runtime.stop(id);
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
