import { aborted, type Clock, every } from "@terrarium/clock";
import { type MachineSpec, NoSlotError } from "@terrarium/runtime";
import { type Gone, HostError, type HostedMachine } from "@terrarium/simulator";
import { type HostConnection, HostLink } from "./host-link.ts";

/** Starts, finds and ends host processes; each has a number. */
export interface HostProcesses {
  /** The numbers of those that run, and of some that were killed. */
  numbers(): number[];
  /** Undefined if no process of this number answers. */
  connect(number: number): Promise<HostConnection | undefined>;
  /** Starts a process; if another of this number runs already, the new one ends by itself. */
  spawn(number: number, maxDevices: number): Promise<void>;
  /** Ends the process of this number, even if it is stopped or never yields. */
  kill(number: number): Promise<void>;
}

export interface HostPoolOptions {
  processes: HostProcesses;
  clock: Clock;
  log: (line: string) => void;
  /** The most devices at once, in all processes. */
  maxDevices: number;
  /** The most devices in one process. */
  devicesPerHost: number;
  /** How many processes share the devices before any has its full number. */
  spread: number;
  heartbeatMs?: number;
  /** A device ended, by itself or with its process. */
  onGone(gone: Gone): void;
}

/** How often each process is asked for a sign of life. */
const HEARTBEAT_MS = 2_000;
/** One that does not answer this many heartbeats is ended: 6 to 8 s after it last answered. */
const MAX_UNANSWERED = 3;
/** One that is a heartbeat late may be busy, or hang: the next device rather starts elsewhere. */
const LATE = 2;
/** A process that had devices and has none ends after this many heartbeats, half a minute, and gives back its memory. */
const MAX_EMPTY_BEATS = 15;
const MAX_START_TRIES = 2;
const CONNECT_WAIT_MS = 25;
const MAX_CONNECT_TRIES = 600;
/** How long a process may take to end its devices when everything is shut down. */
const SHUTDOWN_MS = 5_000;

/**
 * The processes that simulated devices run in. Devices are spread over several, so that what goes wrong in one harms few others; each is
 * watched, and ended when it does not answer. One with room is held ready, so that a start does not wait for a process.
 */
export class HostPool {
  readonly #options: HostPoolOptions;
  readonly #heartbeatMs: number;
  readonly #links = new Map<number, HostLink>();
  readonly #attaching = new Map<number, Promise<HostLink | undefined>>();
  readonly #end = new AbortController();
  #growing: Promise<unknown> | undefined;
  #isBeating = false;
  /** Somebody wants devices: a spare process is held ready for them. */
  #wantsSpare = false;

  constructor(options: HostPoolOptions) {
    this.#options = options;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
  }

  /** The process that the device runs in, or is being started in. */
  find(id: string): HostLink | undefined {
    return [...this.#links.values()].find(({ machines, starting }) => machines.has(id) || starting.has(id));
  }

  /** All devices that run, also those that another server started. */
  async machines(): Promise<HostedMachine[]> {
    await this.discover();
    return [...this.#links.values()].flatMap(({ machines }) => [...machines.values()]);
  }

  /** Sees to it that a process with room is ready. */
  async prepare(): Promise<void> {
    this.#wantsSpare = true;
    await this.discover();
    if (!this.#roomiest()) await this.#grow();
  }

  /**
   * Starts a device, or returns the one of this id and boot that runs. Starts of the same id must not overlap.
   * @param layerFolder holds the layers of the spec, while the device runs
   * @throws NoSlotError if all places are taken; HostError if the device cannot be started
   */
  async start(
    spec: MachineSpec,
    signal: AbortSignal,
    layerFolder?: string,
  ): Promise<{ machine: HostedMachine; link: HostLink }> {
    this.#wantsSpare = true;
    for (let tries = 1; ;) {
      await this.discover();
      signal.throwIfAborted();
      // Nothing is awaited between the choice and the start, or another start could choose the same last place.
      const link = this.find(spec.id) ?? this.#roomiest();
      if (!link) {
        await this.#grow();
        continue;
      }
      try {
        const starting = link.start({ spec, layerFolder });
        this.#startSpare();
        return { machine: await starting, link };
      } catch (error) {
        // Not tried for ever: the device may be the cause.
        if (!(error instanceof HostError) || this.#end.signal.aborted || tries++ >= MAX_START_TRIES) throw error;
        // The process ends, and with it whatever it began.
        if (error.code === "ENDING") {
          link.isLeaving = true;
          await aborted(link.connection.closed);
        } else if (error.code !== "NO_SLOT") throw error; // Or another server took the place.
      }
    }
  }

  /** Connects to processes that were started by an earlier server, or by another. */
  async discover(): Promise<void> {
    const unknown = this.#options.processes.numbers().filter((number) => !this.#links.has(number));
    await Promise.all(unknown.map((number) => this.#attach(number)));
  }

  /** Ends all devices and processes; one that does not end in 5 s is killed. */
  async shutdown(): Promise<void> {
    this.#wantsSpare = false;
    await this.#growing?.catch(() => undefined);
    await this.discover();
    await Promise.all([...this.#links.values()].map((link) => this.#shutDown(link)));
    this.close();
  }

  /** Lets go of the processes, which stay for the next server. */
  close(): void {
    this.#end.abort(new Error("the runtime is closed"));
    for (const { connection } of this.#links.values()) connection.close();
  }

  async #shutDown(link: HostLink): Promise<void> {
    const { clock } = this.#options;
    const { closed } = link.connection;
    link.isLeaving = true;
    link.connection.ask("shutdown", {}).catch(() => undefined);
    await Promise.race([aborted(closed), clock.sleep(SHUTDOWN_MS, closed).catch(() => undefined)]);
    if (!closed.aborted) await this.#kill(link, `did not end within ${SHUTDOWN_MS / 1000} s`);
  }

  /** The process for the next device: of those that answer, the one with the fewest. Undefined if there should be another. */
  #roomiest(): HostLink | undefined {
    const [best] = this.#withRoom().toSorted(
      (a, b) => Number(isLate(a)) - Number(isLate(b)) || a.size - b.size || a.number - b.number,
    );
    return best && (!isLate(best) || this.#freeNumber() === undefined) ? best : undefined;
  }

  #withRoom(): HostLink[] {
    return [...this.#links.values()].filter(({ hasRoom }) => hasRoom);
  }

  /** Starts a process ahead of the device that needs it. */
  #startSpare(): void {
    const staying = [...this.#links.values()].filter(({ isLeaving }) => !isLeaving);
    const isSpread = staying.length >= this.#options.spread || staying.some(({ size }) => size === 0);
    if ((isSpread && staying.some(({ hasRoom }) => hasRoom)) || this.#freeNumber() === undefined) return;
    this.#grow().catch((error: unknown) => this.#log(`no host could be started: ${messageOf(error)}`));
  }

  #freeNumber(): number | undefined {
    const { maxDevices, devicesPerHost } = this.#options;
    const all = Array.from({ length: Math.ceil(maxDevices / devicesPerHost) }, (_, number) => number);
    return all.find((number) => !this.#links.has(number) && !this.#attaching.has(number));
  }

  /** Starts another process and waits until it answers. Throws `NoSlotError` if there are as many as there may be. */
  #grow(): Promise<unknown> {
    return (this.#growing ??= this.#addHost().finally(() => (this.#growing = undefined)));
  }

  async #addHost(): Promise<void> {
    const { processes, clock, maxDevices, devicesPerHost } = this.#options;
    this.#end.signal.throwIfAborted();
    const number = this.#freeNumber();
    if (number === undefined) throw new NoSlotError(`all ${maxDevices} places are taken`);
    // The last one gets what is left, so that all together hold exactly as many as they may.
    await processes.spawn(number, Math.min(devicesPerHost, maxDevices - number * devicesPerHost));
    for (let tries = 0; tries < MAX_CONNECT_TRIES; tries++) {
      const link = await this.#attach(number);
      if (link) link.isFresh = link.size === 0;
      if (link) return;
      await clock.sleep(CONNECT_WAIT_MS, this.#end.signal);
    }
    throw new Error(`host ${number} of the simulator did not answer; its log is simulator.log in the data directory`);
  }

  #attach(number: number): Promise<HostLink | undefined> {
    const attaching =
      this.#attaching.get(number) ?? this.#connect(number).finally(() => this.#attaching.delete(number));
    this.#attaching.set(number, attaching);
    return attaching;
  }

  async #connect(number: number): Promise<HostLink | undefined> {
    const { processes, clock, onGone } = this.#options;
    this.#end.signal.throwIfAborted();
    const connection = await processes.connect(number);
    if (!connection) return undefined;
    const machines = new Map<string, HostedMachine>();
    connection.watcher = {
      started: (machine) => machines.set(machine.id, machine),
      gone: (gone) => {
        if (machines.get(gone.id)?.boot === gone.boot) machines.delete(gone.id);
        onGone(gone);
      },
    };
    const answered = new AbortController();
    const answer = await Promise.race([
      // A killed process still takes connections for a moment, since its sockets are closed one after another.
      connection.ask("watch", {}).catch(() => "closed" as const),
      clock.sleep(MAX_UNANSWERED * this.#heartbeatMs, answered.signal).then(() => "silent" as const),
    ]);
    answered.abort();
    if (answer === "silent") {
      this.#log(`host ${number} of the simulator did not answer and is ended`);
      await processes.kill(number);
    }
    if (typeof answer === "string" || this.#end.signal.aborted) {
      connection.close();
      this.#end.signal.throwIfAborted();
      return undefined;
    }
    const link = new HostLink(number, connection, { ...answer, machines });
    this.#links.set(number, link);
    connection.closed.addEventListener("abort", () => this.#lost(link));
    if (connection.closed.aborted) this.#lost(link);
    if (!this.#isBeating) void every(clock, this.#heartbeatMs, () => this.#beat(), this.#end.signal);
    this.#isBeating = true;
    return link;
  }

  async #beat(): Promise<void> {
    for (const link of this.#links.values()) {
      if (link.unansweredBeats >= MAX_UNANSWERED) await this.#kill(link, "did not answer");
      else link.beat();
    }
    if (this.#wantsSpare) this.#startSpare();
    this.#dismissEmpty().catch((error: unknown) => this.#log(`an empty host could not be ended: ${messageOf(error)}`));
  }

  /** Ends processes that have had no device for a while, except for one that is ready and holds little. */
  async #dismissEmpty(): Promise<void> {
    const ready = this.#wantsSpare ? this.#withRoom().find(({ isFresh }) => isFresh) : undefined;
    const empty = this.#withRoom().filter((link) => link !== ready && link.emptyBeats >= MAX_EMPTY_BEATS);
    if (empty.length === 0) return;
    // The next device need not wait for a process: the new one comes before the old one goes.
    if (this.#wantsSpare && this.#withRoom().length === empty.length) {
      if (this.#freeNumber() === undefined) empty.pop();
      else await this.#grow();
    }
    for (const link of empty) {
      if (link.size > 0 || link.isLeaving) continue;
      link.isLeaving = true;
      link.connection.ask("shutdown", {}).catch(() => undefined);
    }
  }

  async #kill(link: HostLink, what: string): Promise<void> {
    link.endReason = `the host process ${what} and was ended`;
    this.#log(`host ${link.number} of the simulator ${what} and is ended, with ${link.machines.size} devices`);
    try {
      await this.#options.processes.kill(link.number);
    } catch (error) {
      this.#log(`host ${link.number} could not be ended: ${messageOf(error)}`);
    }
    link.connection.close();
    await aborted(link.connection.closed);
  }

  #lost(link: HostLink): void {
    if (this.#links.get(link.number) !== link) return;
    this.#links.delete(link.number);
    if (this.#end.signal.aborted) return;
    const reason = link.endReason ?? "the host process ended";
    for (const { id, boot } of link.machines.values()) this.#options.onGone({ id, boot, reason });
  }

  #log(line: string): void {
    this.#options.log(line);
  }
}

const isLate = (link: HostLink): boolean => link.unansweredBeats >= LATE;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
