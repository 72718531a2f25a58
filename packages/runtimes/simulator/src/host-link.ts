import type { Asks, HostedMachine, Watcher } from "@terrarium/simulator";

/** What a pool uses of a connection to a host process. */
export interface HostConnection {
  watcher: Watcher | undefined;
  /** Aborts when the connection is over. */
  readonly closed: AbortSignal;
  /** Rejects with `HostError`. */
  ask<Name extends keyof Asks>(ask: Name, asks: Asks[Name]["asks"]): Promise<Asks[Name]["answer"]>;
  close(): void;
}

/** A host process that the pool is connected to, and what is known about it. */
export class HostLink {
  readonly number: number;
  readonly connection: HostConnection;
  readonly maxDevices: number;
  /** The devices that run, by id. */
  readonly machines: Map<string, HostedMachine>;
  /** The ids of devices whose start was asked for. */
  readonly starting = new Set<string>();
  /** It never had a device, so it holds the least memory. */
  isFresh = false;
  /** It was asked to end, or is to be: nothing is started on it. */
  isLeaving = false;
  /** Why the pool ended it. */
  endReason: string | undefined;
  #unansweredBeats = 0;
  #emptyBeats = 0;

  constructor(
    number: number,
    connection: HostConnection,
    known: { maxDevices: number; machines: Map<string, HostedMachine> },
  ) {
    this.number = number;
    this.connection = connection;
    this.maxDevices = known.maxDevices;
    this.machines = known.machines;
  }

  get size(): number {
    return new Set([...this.machines.keys(), ...this.starting]).size;
  }

  get hasRoom(): boolean {
    return !this.isLeaving && this.size < this.maxDevices;
  }

  /** Counts a heartbeat, and asks for a sign of life. */
  beat(): void {
    this.#unansweredBeats++;
    this.#emptyBeats = this.size === 0 ? this.#emptyBeats + 1 : 0;
    this.connection.ask("ping", {}).then(
      () => (this.#unansweredBeats = 0),
      // It is over, which the connection reports.
      () => undefined,
    );
  }

  /**
   * How many heartbeats in a row were not answered. Time is not compared: after this process itself has been stopped for a while, each
   * host must get the chance to answer.
   */
  get unansweredBeats(): number {
    return this.#unansweredBeats;
  }

  /** For how many heartbeats it has had no device. */
  get emptyBeats(): number {
    return this.#emptyBeats;
  }

  /** Starts a device. Rejects with `HostError`. */
  async start({ spec, layerFolder }: Asks["start"]["asks"]): Promise<HostedMachine> {
    this.starting.add(spec.id);
    this.isFresh = false;
    this.#emptyBeats = 0;
    try {
      return await this.connection.ask("start", { spec, layerFolder });
    } finally {
      this.starting.delete(spec.id);
    }
  }
}
