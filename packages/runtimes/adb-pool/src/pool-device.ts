import { type AdbLink, connectAdb, type KeySource, nodeSocketDuplex, watchLink } from "@terrarium/adb";
import { aborted, type Clock, within } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { connect } from "node:net";
import { type DeviceFacts, readFacts } from "./facts.ts";

/** Long enough for somebody to accept our key on the device's screen. */
const CONNECT_TIMEOUT_MS = 30_000;
const FACTS_TIMEOUT_MS = 20_000;
/** Between tries. */
const RETRY_MS = 2_000;
/** A device that has not answered by then is not waited for when devices are listed. */
const LOOK_TIMEOUT_MS = 5_000;

export interface PoolDeviceOptions {
  key: string;
  address: AdbAddress;
  clock: Clock;
  adbKey: KeySource;
  /** It answers now, or does not any more. */
  onChange: (device: PoolDevice) => void;
}

/** A device of the pool, with a link of our own that shows whether it is there. */
export class PoolDevice {
  readonly key: string;
  readonly address: AdbAddress;
  /** Undefined while it does not answer. */
  link: AdbLink | undefined;
  /** What it said when it answered last. */
  facts: DeviceFacts | undefined;
  /** Why it does not answer. */
  problem: string | undefined;
  /** Resolves when it has answered, or has not for a while. */
  readonly looked: Promise<void>;
  readonly #options: PoolDeviceOptions;
  readonly #end = new AbortController();
  readonly #looked = Promise.withResolvers<void>();

  constructor(options: PoolDeviceOptions) {
    this.key = options.key;
    this.address = options.address;
    this.#options = options;
    this.looked = this.#looked.promise;
    const { resolve } = this.#looked;
    options.clock.sleep(LOOK_TIMEOUT_MS, this.#end.signal).then(resolve, resolve);
    void this.#maintainLink();
  }

  close(): void {
    this.#end.abort(new Error("the device is not in the pool any more"));
    this.link?.close();
  }

  async #maintainLink(): Promise<void> {
    const { clock, onChange } = this.#options;
    const end = this.#end.signal;
    while (!end.aborted) {
      try {
        const link = await this.#connect();
        try {
          this.facts = await within(FACTS_TIMEOUT_MS, clock, end, (signal) => readFacts(link, signal));
          this.link = link;
          this.problem = undefined;
          onChange(this);
          this.#looked.resolve();
          void watchLink(link, clock);
          await aborted(AbortSignal.any([link.gone, end]));
        } finally {
          link.close();
        }
        this.problem = "it does not answer any more";
      } catch (error) {
        this.problem = error instanceof Error ? error.message : String(error);
      }
      this.link = undefined;
      onChange(this);
      this.#looked.resolve();
      await clock.sleep(RETRY_MS, end).catch(() => undefined);
    }
  }

  #connect(): Promise<AdbLink> {
    const { clock, adbKey: key } = this.#options;
    return within(CONNECT_TIMEOUT_MS, clock, this.#end.signal, (signal) =>
      connectAdb(nodeSocketDuplex(connect(this.address.port, this.address.host)), { signal, key }),
    );
  }
}
