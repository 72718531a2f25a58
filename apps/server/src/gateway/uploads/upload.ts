import type { Clock } from "@terrarium/clock";
import { AppError, type InstalledApp } from "@terrarium/contract";
import type { AppLink } from "../apps/install-app.ts";
import type { Grant } from "../viewers/visitor.ts";
import { ArrivingFile } from "./arriving-file.ts";
import { putFile } from "./put-file.ts";

/** A client that sends nothing for this long will not come back. */
const STALL_MS = 60_000;
/** A slow device compiles a large app for minutes once it has all of it. */
const DEVICE_MS = 10 * 60_000;

export interface UploadDeps {
  instanceUuid: string;
  grant: Grant;
  /** By which its client finds it again. */
  id?: string | undefined;
  name: string;
  /** Where on the device it is to be. */
  folder?: string | undefined;
  size: number;
  link: AppLink;
  clock: Clock;
}

export type Outcome = { app: InstalledApp | undefined } | { error: unknown };

/** One file on its way to a device. It may outlive its client's socket. */
export class Upload {
  readonly instanceUuid: string;
  readonly grant: Grant;
  readonly id: string | undefined;
  readonly size: number;
  /** Whoever brings it now: called when there is room for more, and when another takes over. */
  bringer: { goOn(): void; yield(): void } | undefined;
  /** What has become of it; never rejects. */
  readonly outcome: Promise<Outcome>;
  readonly #clock: Clock;
  readonly #file = new ArrivingFile();
  readonly #over = new AbortController();
  #received = 0;
  /** When bytes last came from the client, or the device last took some; by the monotonic clock. */
  #movedAt: number;

  constructor({ instanceUuid, grant, id, name, folder, size, link, clock }: UploadDeps) {
    this.instanceUuid = instanceUuid;
    this.grant = grant;
    this.id = id;
    this.size = size;
    this.#clock = clock;
    this.#movedAt = clock.monotonic();
    this.#file.onRoom = () => this.bringer?.goOn();
    if (size === 0) this.#file.end();
    const source = this.#moving();
    this.outcome = putFile(link, { name, folder, bytes: size, source }, { clock, signal: this.#over.signal })
      .then(
        (app): Outcome => ({ app }),
        (error: unknown): Outcome => ({ error }),
      )
      .finally(() => this.#over.abort());
    this.#watch().catch(() => undefined);
  }

  /** Bytes that have arrived. */
  get received(): number {
    return this.#received;
  }

  get isFull(): boolean {
    return this.#file.isFull;
  }

  /** Takes the next bytes, which belong to it from then on. Returns false if that is more than was announced. */
  push(bytes: Uint8Array): boolean {
    this.#received += bytes.length;
    if (this.#received > this.size) return false;
    this.#movedAt = this.#clock.monotonic();
    this.#file.push(bytes);
    if (this.#received === this.size) this.#file.end();
    return true;
  }

  /** Ends it, unless it is over. */
  abort(why: AppError): void {
    this.#over.abort(why);
    this.#file.fail(why);
  }

  async *#moving(): AsyncGenerator<Uint8Array> {
    for await (const part of this.#file) {
      this.#movedAt = this.#clock.monotonic();
      yield part;
      this.#movedAt = this.#clock.monotonic();
    }
  }

  async #watch(): Promise<void> {
    for (;;) {
      const isDevicesTurn = this.#received === this.size || this.#file.waitingBytes > 0;
      const leftMs = this.#movedAt + (isDevicesTurn ? DEVICE_MS : STALL_MS) - this.#clock.monotonic();
      if (leftMs <= 0) break;
      // It may be the client's turn by then, who has no more than this.
      await this.#clock.sleep(Math.min(leftMs, STALL_MS), this.#over.signal);
    }
    this.abort(new AppError("REQUEST_TIMEOUT"));
  }
}
