import { batteryMessage, type BatteryState } from "@terrarium/player";
import type { Gadget, GadgetCommand, GadgetDevice, OpenGadget, Send } from "./gadget.ts";

/** As `android.os.BatteryManager` numbers them. */
const statusNumbers = { charging: 2, discharging: 3, full: 5 } as const;
const NOT_CHARGING = 4;

/** Serves any device that has Android's own `dumpsys battery`. A TV and a car answer it too, but run on mains. */
export const openBattery: OpenGadget = async (device, probing) => {
  if (device.kind === "tv" || device.kind === "car") return undefined;
  const state = parseBattery(await dumpsys(device, [], probing));
  return state && new Battery(device, state);
};

/** The battery of one device, which all viewers see and any of them may set. */
export class Battery implements Gadget {
  readonly capability = "battery";
  readonly channels = ["battery"] as const;
  readonly #device: GadgetDevice;
  #state: BatteryState;
  /** What is still to be set; a slider's many steps become the last of them. */
  #wanted: Partial<BatteryState> = {};
  #isStale = false;
  #isWorking = false;

  constructor(device: GadgetDevice, state: BatteryState) {
    this.#device = device;
    this.#state = state;
  }

  introduce(send: Send): void {
    send(batteryMessage(this.#state));
  }

  handle(command: GadgetCommand): void {
    if (command.type === "batteryLevel") this.#want({ level: command.percent });
    if (command.type === "batteryStatus") this.#want({ status: command.status });
  }

  #want(change: Partial<BatteryState>): void {
    Object.assign(this.#wanted, change);
    this.#isStale = true;
    if (!this.#isWorking) void this.#setUntilDone();
  }

  async #setUntilDone(): Promise<void> {
    const { signal, log } = this.#device;
    this.#isWorking = true;
    // Level and status come in one message and are set together.
    await Promise.resolve();
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      try {
        await this.#setWanted();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "the battery could not be set");
      }
    }
    this.#isWorking = false;
  }

  async #setWanted(): Promise<void> {
    const { level, status } = this.#wanted;
    this.#wanted = {};
    try {
      if (level !== undefined) await this.#set("level", level);
      if (status !== undefined) await this.#set("status", statusNumbers[status]);
    } finally {
      // Viewers see what the device says, also when it refused.
      this.#state = parseBattery(await dumpsys(this.#device, [], this.#device.signal)) ?? this.#state;
      this.#device.broadcast(batteryMessage(this.#state));
    }
  }

  async #set(field: "level" | "status", value: number): Promise<void> {
    await dumpsys(this.#device, ["set", field, String(value)], this.#device.signal);
  }
}

async function dumpsys({ shell }: GadgetDevice, words: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout, exitCode } = await shell(["dumpsys", "battery", ...words], { signal, maxBytes: 64 * 1024 });
  if (exitCode !== 0) throw new Error(`dumpsys battery ${words.join(" ")} ended with code ${exitCode}`);
  return stdout;
}

/** Reads `dumpsys battery`; undefined when it has no level, or says that there is no battery. */
export function parseBattery(text: string): BatteryState | undefined {
  const level = Number(/^\s*level:\s*(\d{1,3})\s*$/m.exec(text)?.[1] ?? Number.NaN);
  if (!(level >= 0 && level <= 100) || /^\s*present:\s*false\s*$/m.test(text)) return undefined;
  const number = Number(/^\s*status:\s*(\d)\s*$/m.exec(text)?.[1] ?? NOT_CHARGING);
  const known = Object.entries(statusNumbers).find(([, itsNumber]) => itsNumber === number)?.[0];
  return { level, status: (known ?? "discharging") as BatteryState["status"] };
}
