import { aborted } from "@terrarium/clock";
import { type Asks, HostError, type HostedMachine, type Watcher } from "@terrarium/simulator";
import type { HostConnection } from "../host-link.ts";
import type { HostProcesses } from "../host-pool.ts";

/** A host process that runs in memory. */
class FakeHost {
  readonly maxDevices: number;
  readonly machines = new Map<string, HostedMachine>();
  readonly connections = new Set<FakeConnection>();
  /** As after SIGSTOP: what it is asked waits for ever. */
  isStopped = false;

  constructor(maxDevices: number) {
    this.maxDevices = maxDevices;
  }

  notify(news: (watcher: Watcher) => void): void {
    for (const { watcher } of this.connections) if (watcher) news(watcher);
  }

  end(): void {
    for (const connection of this.connections) connection.close();
  }
}

class FakeConnection implements HostConnection {
  watcher: Watcher | undefined;
  readonly #host: FakeHost;
  readonly #hosts: FakeHosts;
  readonly #closed = new AbortController();

  constructor(host: FakeHost, hosts: FakeHosts) {
    this.#host = host;
    this.#hosts = hosts;
    host.connections.add(this);
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  close(): void {
    this.#host.connections.delete(this);
    this.#closed.abort();
  }

  async ask<Name extends keyof Asks>(ask: Name, asks: Asks[Name]["asks"]): Promise<Asks[Name]["answer"]> {
    if (ask === "start" && this.#hosts.startsHang) this.#host.isStopped = true;
    await (this.#host.isStopped ? aborted(this.closed) : Promise.resolve());
    if (this.closed.aborted) throw new HostError("ENDING", "the connection is closed");
    return this.#answers[ask](asks);
  }

  readonly #answers: { [Name in keyof Asks]: (asks: Asks[Name]["asks"]) => Asks[Name]["answer"] } = {
    start: ({ spec: { id, boot } }) => {
      const { machines, maxDevices } = this.#host;
      if (!machines.has(id) && machines.size >= maxDevices) throw new HostError("NO_SLOT", "all places are taken");
      const machine = { id, boot, adb: { host: "127.0.0.1", port: 1 } };
      this.#host.machines.set(id, machine);
      this.#host.notify((watcher) => watcher.started(machine));
      return machine;
    },
    stop: ({ id }) => {
      const machine = this.#host.machines.get(id);
      this.#host.machines.delete(id);
      if (machine) this.#host.notify((watcher) => watcher.gone({ ...machine, reason: "stopped" }));
      return { stopped: machine !== undefined };
    },
    watch: () => {
      for (const machine of this.#host.machines.values()) this.watcher?.started(machine);
      return { maxDevices: this.#host.maxDevices };
    },
    save: () => {
      throw new HostError("FAILED", "there is nothing to save");
    },
    endSave: () => ({ ended: true }),
    ping: () => ({ alive: true }),
    shutdown: () => {
      this.#hosts.end(this.#host);
      return { ending: true };
    },
  };
}

/** Host processes in memory. They outlive the pools that use them. */
export class FakeHosts implements HostProcesses {
  readonly running = new Map<number, FakeHost>();
  /** Whoever is asked to start a device hangs from then on. */
  startsHang = false;
  /** What happened, in order: `spawn 0`, `end 0`, `kill 0`. */
  readonly done: string[] = [];

  numbers = (): number[] => [...this.running.keys()];

  async connect(number: number): Promise<HostConnection | undefined> {
    const host = this.running.get(number);
    return host && new FakeConnection(host, this);
  }

  async spawn(number: number, maxDevices: number): Promise<void> {
    this.done.push(`spawn ${number}`);
    this.running.set(number, new FakeHost(maxDevices));
  }

  async kill(number: number): Promise<void> {
    this.done.push(`kill ${number}`);
    this.running.get(number)?.end();
    this.running.delete(number);
  }

  end(host: FakeHost): void {
    const [number] = [...this.running].find(([, other]) => other === host) ?? [];
    if (number === undefined) return;
    this.done.push(`end ${number}`);
    this.running.delete(number);
    host.end();
  }

  /** How many devices each host has, by number. */
  get devices(): Record<number, number> {
    return Object.fromEntries([...this.running].map(([number, { machines }]) => [number, machines.size]));
  }
}
