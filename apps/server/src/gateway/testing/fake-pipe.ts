import type { DevicePipe, PipeEvents } from "../tunnels/device-pipe.ts";

/** A device's end of a connection of adb, controlled by the test. */
export class FakePipe implements DevicePipe {
  written = "";
  isPaused = false;
  isClosed = false;
  /** Whether it takes what is written. */
  takes = true;
  untaken = 0;
  #events: PipeEvents | undefined;

  listen(events: PipeEvents): void {
    this.#events = events;
  }

  write(bytes: Uint8Array): boolean {
    this.written += Buffer.from(bytes).toString("latin1");
    return this.takes;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events?.onClose();
  }

  say(bytes: string | Uint8Array): void {
    this.#events?.onBytes(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  }

  drain(): void {
    this.#events?.onDrain();
  }
}
