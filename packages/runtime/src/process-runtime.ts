import { abortable, aborted, type Clock, within } from "@terrarium/clock";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { type DeviceRuntime, NoSlotError } from "./device-runtime.ts";
import type { Layer } from "./layers.ts";
import type { Machine, MachineCapability, MachineRef, MachineSpec, SaveOptions } from "./machine.ts";
import { MachineFolders, type MachineRecord } from "./machine-folders.ts";
import { placeOf } from "./place-of.ts";
import { endProcesses, processesWith } from "./processes-with.ts";
import { Turns } from "./turns.ts";

/** How a machine's process is spoken with. */
export interface MachineControl {
  /** Aborts when the process has ended, or `close` was called. */
  readonly closed: AbortSignal;
  close(): void;
  /** Why the process has ended, as far as it has said so itself. */
  readonly lastReason?: string | undefined;
}

export interface ProcessRuntimeOptions {
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  maxDevices: number;
  /** A device that has not booted by then is over. */
  bootMs: number;
}

/** A machine, and what is held for it in this process. */
export interface Held<Stored, Control> {
  machine: Machine;
  record: Stored;
  control: Control;
  gone: AbortController;
  booted: Promise<void>;
}

const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["save"]);
/** What the system and this process need themselves. */
const USABLE_MEMORY = 0.9;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_WORDS = 300;
const MB = 1024 * 1024;

/**
 * Machines of which each runs in a process of its own on this host, which outlives this process and is adopted by the next. The process has
 * the name of the place and the id of its device among its words, and by these it is found.
 */
export abstract class ProcessRuntime<
  Stored extends MachineRecord,
  Control extends MachineControl,
> implements DeviceRuntime {
  abstract readonly name: string;
  protected readonly folders: MachineFolders<Stored>;
  readonly #options: ProcessRuntimeOptions;
  readonly #held = new Map<string, Held<Stored, Control>>();
  /** The memory in MiB of those that are being started, by id. */
  readonly #starting = new Map<string, number>();
  readonly #turns = new Turns();
  readonly #end = new AbortController();
  #discovered: Promise<void> | undefined;

  constructor(folder: string, record: z.ZodType<Stored>, options: ProcessRuntimeOptions) {
    this.#options = options;
    this.folders = new MachineFolders(join(options.dataDir, folder), record);
  }

  /** Starts a machine with what the folder is to hold. Leaves no process if it fails. */
  protected abstract power(
    spec: MachineSpec,
    folder: string,
    signal: AbortSignal,
  ): Promise<{ record: Stored; control: Control }>;

  /** The control of a machine that an earlier process has started; rejects if it does not answer. */
  protected abstract reach(record: Stored, signal: AbortSignal): Promise<Control>;

  /** Resolves when the device has booted. @throws Error that says how far it came */
  protected abstract untilBooted(held: Held<Stored, Control>, signal: AbortSignal): Promise<void>;

  protected abstract save(held: Held<Stored, Control>, options: SaveOptions, signal: AbortSignal): Promise<Layer[]>;

  /** What a machine has beside adb. */
  protected extras(
    _control: Control,
    _record: Stored,
  ): Partial<Pick<Machine, "console" | "capabilities" | "openScreen">> {
    return {};
  }

  place(): Promise<string> {
    return placeOf(this.#options.dataDir, this.name);
  }

  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    return abortable(
      this.#turns.take(spec.id, () => this.#start(spec, signal)),
      signal,
    );
  }

  async list(): Promise<MachineRef[]> {
    await this.discover();
    return [...this.#held.values()].map(({ record: { id, boot } }) => ({ id, boot }));
  }

  adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    return this.#turns.take(id, async () => {
      await this.discover();
      const held = this.#held.get(id);
      if (held?.record.boot === boot) return held.machine;
      if (held && held.record.boot < boot) await this.#stop(held);
      return undefined;
    });
  }

  stop(id: string): Promise<void> {
    return this.#turns.take(id, async () => {
      await this.discover();
      const held = this.#held.get(id);
      if (held) await this.#stop(held);
    });
  }

  async shutdown(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.stop(id)));
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    for (const { control } of this.#held.values()) control.close();
    await this.#turns.over();
  }

  /** Finds, once, what an earlier process has left: machines that run, which are adopted, and all else, which is removed. */
  protected discover(): Promise<void> {
    return (this.#discovered ??= this.#look().catch((error: unknown) => {
      this.#discovered = undefined;
      throw error;
    }));
  }

  async #start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    await this.discover();
    const { id, boot } = spec;
    const runs = this.#held.get(id);
    if (runs?.record.boot === boot) return runs.machine;
    if (runs && runs.record.boot > boot) throw new Error(`boot ${runs.record.boot} of this device runs`);
    if (runs) await this.#stop(runs);
    this.#takeRoom(spec);
    try {
      const { record, control } = await this.power(spec, await this.folders.make(id), signal);
      if (signal.aborted) control.close();
      signal.throwIfAborted();
      return this.#hold(record, control).machine;
    } catch (error) {
      await this.#clear(id);
      throw error;
    } finally {
      this.#starting.delete(id);
    }
  }

  /** @throws NoSlotError */
  #takeRoom({ id, hardware: { ramMb } }: MachineSpec): void {
    const used = [...[...this.#held.values()].map(({ record }) => record.ramMb), ...this.#starting.values()];
    const { maxDevices } = this.#options;
    if (used.length >= maxDevices) throw new NoSlotError(`${this.name} runs its ${maxDevices} devices`);
    const free = Math.floor((totalmem() / MB) * USABLE_MEMORY) - used.reduce((sum, size) => sum + size, 0);
    if (ramMb > free) throw new NoSlotError(`there are ${free} MiB of memory for devices, and this one needs ${ramMb}`);
    this.#starting.set(id, ramMb);
  }

  #hold(record: Stored, control: Control): Held<Stored, Control> {
    const { id, boot, port } = record;
    const gone = new AbortController();
    const machine: Machine = {
      id,
      boot,
      adb: { host: "127.0.0.1", port },
      capabilities: CAPABILITIES,
      gone: gone.signal,
      save: (options, signal) =>
        this.#turns.take(`save ${id} ${boot}`, async () => {
          const limited = AbortSignal.any([signal, gone.signal]);
          limited.throwIfAborted();
          await abortable(held.booted, limited);
          return this.save(held, options, limited);
        }),
      stop: () =>
        this.#turns.take(id, async () => {
          if (this.#held.get(id) === held) await this.#stop(held);
        }),
      ...this.extras(control, record),
    };
    const held: Held<Stored, Control> = { machine, record, control, gone, booted: Promise.resolve() };
    this.#held.set(id, held);
    held.booted = this.#watchBoot(held);
    held.booted.catch(() => undefined);
    void aborted(control.closed).then(() => this.#ended(held));
    return held;
  }

  /** Its process does not answer any more, and nobody has asked for that. */
  async #ended(held: Held<Stored, Control>): Promise<void> {
    const { id } = held.record;
    if (this.#end.signal.aborted || this.#held.get(id) !== held) return;
    const words = (await this.folders.lastWords(id)).slice(-MAX_WORDS);
    const { lastReason } = held.control;
    const how = lastReason === undefined ? "its process ended" : `its process ended: ${lastReason}`;
    await this.#turns.take(id, () => this.#giveUp(held, words === "" ? how : `${how}, and said: ${words}`));
  }

  async #giveUp(held: Held<Stored, Control>, why: string): Promise<void> {
    const { id } = held.record;
    if (this.#held.get(id) !== held) return;
    this.#options.log(`${id}: ${why}`);
    await this.#stop(held, why);
  }

  async #stop(held: Held<Stored, Control>, why = "stopped"): Promise<void> {
    const { id } = held.record;
    this.#held.delete(id);
    held.gone.abort(new Error(`the device is over: ${why}`));
    held.control.close();
    await this.#clear(id);
  }

  /** Ends what runs of a device, and removes what it has written. */
  async #clear(id: string): Promise<void> {
    await endProcesses(await processesWith(await this.place(), id), this.#options.clock);
    await this.folders.remove(id);
  }

  async #watchBoot(held: Held<Stored, Control>): Promise<void> {
    const { clock, log } = this.#options;
    const { id } = held.record;
    const over = AbortSignal.any([held.gone.signal, this.#end.signal]);
    const began = clock.monotonic();
    try {
      await this.untilBooted(held, over);
      log(`${id} has started in ${Math.round(clock.monotonic() - began)} ms`);
    } catch (error) {
      if (!over.aborted) await this.#turns.take(id, () => this.#giveUp(held, (error as Error).message));
      throw error;
    }
  }

  async #look(): Promise<void> {
    const place = await this.place();
    for (const id of await this.folders.names()) {
      // It is looked again after a failure: some answer one connection at a time, which those have that were found before.
      const held = this.#held.has(id) || (await this.#readopt(id).catch(() => undefined));
      if (held) continue;
      // Their words are ids, or nothing that we have started.
      await this.#clear(id);
    }
    const ours = await Promise.all([...this.#held.keys()].map((id) => processesWith(place, id)));
    const known = new Set(ours.flat());
    const orphans = (await processesWith(place)).filter((pid) => !known.has(pid));
    await endProcesses(orphans, this.#options.clock);
  }

  async #readopt(id: string): Promise<Held<Stored, Control> | undefined> {
    const record = await this.folders.read(id);
    if (!record) return undefined;
    const control = await within(CONNECT_TIMEOUT_MS, this.#options.clock, this.#end.signal, (signal) =>
      this.reach(record, signal),
    );
    return this.#hold(record, control);
  }
}

/** What is stored about every machine. */
export const recordOf = ({ id, boot, image, hardware }: MachineSpec, port: number): MachineRecord => ({
  id,
  boot,
  port,
  image: image.artefact,
  ramMb: hardware.ramMb,
  diskMb: hardware.dataDiskMb,
});
