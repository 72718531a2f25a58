import type { Instance } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { randomUUID } from "node:crypto";
import { untilState } from "../support/instances.ts";
import { pick } from "../support/random.ts";
import type { Acknowledged } from "../support/rows-verdict.ts";
import type { Tally } from "./tally.ts";

/** The devices of a soak. Half of them run all the time; the others are replaced, one after the other. */
export class Fleet implements Acknowledged {
  readonly started = new Map<string, Set<string>>();
  readonly stopped = new Set<string>();
  readonly #client: Client;
  readonly #recipe: string;
  readonly #tally: Tally;
  readonly #kept: Instance[] = [];
  readonly #replaced: Instance[] = [];
  readonly #online = new Set<string>();

  constructor(client: Client, recipe: string, tally: Tally) {
    this.#client = client;
    this.#recipe = recipe;
    this.#tally = tally;
  }

  get kept(): readonly Instance[] {
    return this.#kept;
  }

  /** Resolves when all are online. */
  async start(devices: number): Promise<void> {
    const kept = Math.ceil(devices / 2);
    await Promise.all(
      Array.from({ length: devices }, (_, index) => this.#startOne(index < kept ? this.#kept : this.#replaced)),
    );
  }

  /** Stops one and starts another; resolves when that is online. Viewers may choose it before. */
  async replaceOne(): Promise<void> {
    const isOnline = ({ uuid }: Instance) => this.#online.has(uuid);
    const old = pick(this.#replaced.filter(isOnline), Math.random);
    if (!old) return;
    this.#replaced.splice(this.#replaced.indexOf(old), 1);
    // From now on it is no wonder if its viewers are sent away.
    this.stopped.add(old.uuid);
    await this.#client.instances.stop({ params: { uuid: old.uuid } });
    await this.#startOne(this.#replaced);
  }

  /** One that is running, or is just starting. */
  pick(): Instance {
    const device = pick([...this.#kept, ...this.#replaced], Math.random);
    if (!device) throw new Error("there is no device");
    return device;
  }

  async #startOne(group: Instance[]): Promise<void> {
    const key = randomUUID();
    const body = { instance_name: key, rename_on_conflict: true };
    const call = { idempotencyKey: key };
    const device = await this.#client.recipes.start({ params: { uuid: this.#recipe }, body }, call);
    this.started.set(key, new Set([device.uuid]));
    this.#tally.starts++;
    group.push(device);
    await untilState(this.#client, device.uuid, "ONLINE");
    this.#online.add(device.uuid);
  }
}
