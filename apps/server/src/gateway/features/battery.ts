import type { AdbLink } from "@terrarium/adb";
import type { BatteryState } from "@terrarium/player";
import type { Logger } from "../../platform/log.ts";

/** `android.os.BatteryManager`'s numbers. */
const statusNumbers = { charging: 2, discharging: 3, full: 5 } as const;
const NOT_CHARGING = 4;

export interface BatteryDeps {
  shell: AdbLink["shell"];
  /** Aborts when the device is over. */
  signal: AbortSignal;
  /** Hears the state after each change, and what it is in truth after one that failed. */
  tell(state: BatteryState): void;
  log: Logger;
}

/** The battery of one device, which all viewers see and any of them may set. */
export class Battery {
  readonly #deps: BatteryDeps;
  #state: BatteryState | undefined;
  /** What is still to be set; a slider's many steps become the last of them. */
  #wanted: Partial<BatteryState> = {};
  #stale = false;
  #working: Promise<void> | undefined;

  constructor(deps: BatteryDeps) {
    this.#deps = deps;
  }

  /** Undefined until the device has told. */
  get state(): BatteryState | undefined {
    return this.#state;
  }

  /** Asks the device for its state; resolves when that is told or cannot be. */
  read(): Promise<void> {
    this.#stale = true;
    return this.#work();
  }

  set(change: Partial<BatteryState>): void {
    Object.assign(this.#wanted, change);
    void this.read();
  }

  #work(): Promise<void> {
    this.#working ??= this.#untilNothingIsWanted().finally(() => (this.#working = undefined));
    return this.#working;
  }

  async #untilNothingIsWanted(): Promise<void> {
    // Level and status come in one message and are set together.
    await Promise.resolve();
    while (this.#stale && !this.#deps.signal.aborted) {
      this.#stale = false;
      try {
        await this.#setWanted();
      } catch (error) {
        if (!this.#deps.signal.aborted) this.#deps.log.warn({ err: error }, "the battery could not be read or set");
      }
    }
  }

  async #setWanted(): Promise<void> {
    const { level, status } = this.#wanted;
    this.#wanted = {};
    try {
      if (level !== undefined) await this.#dumpsys("set", "level", String(level));
      if (status !== undefined) await this.#dumpsys("set", "status", String(statusNumbers[status]));
    } finally {
      // The device says what it is now, whatever came of it.
      await this.#readState();
    }
  }

  async #readState(): Promise<void> {
    const state = parseBattery(await this.#dumpsys());
    if (!state) return;
    this.#state = state;
    this.#deps.tell(state);
  }

  async #dumpsys(...words: string[]): Promise<string> {
    const { stdout, exitCode } = await this.#deps.shell(["dumpsys", "battery", ...words], {
      signal: this.#deps.signal,
      maxBytes: 64 * 1024,
    });
    if (exitCode !== 0) throw new Error(`dumpsys battery ${words.join(" ")} ended with code ${exitCode}`);
    return stdout;
  }
}

/** Reads `dumpsys battery`; undefined when it has no level. */
export function parseBattery(text: string): BatteryState | undefined {
  const level = Number(/^\s*level:\s*(\d{1,3})\s*$/m.exec(text)?.[1] ?? Number.NaN);
  if (!(level >= 0 && level <= 100)) return undefined;
  const number = Number(/^\s*status:\s*(\d)\s*$/m.exec(text)?.[1] ?? NOT_CHARGING);
  const known = Object.entries(statusNumbers).find(([, itsNumber]) => itsNumber === number)?.[0];
  return { level, status: (known ?? "discharging") as BatteryState["status"] };
}
