import { type Clock, within } from "@terrarium/clock";
import { type Capabilities, capabilitiesMessage, noCapabilities } from "@terrarium/player";
import { type DeviceFacts, deviceFactsOf } from "./device-kind.ts";
import type { Gadget, GadgetCommand, GadgetDevice, OpenGadget, Send } from "./gadget.ts";
import { gadgetList } from "./gadget-list.ts";

/** How long a device may take to say what it has; viewers wait for it. What has not answered by then counts as absent. */
const PROBE_TIMEOUT_MS = 10_000;

/** What one device has of the list. */
export class DeviceGadgets {
  readonly #device: Omit<GadgetDevice, keyof DeviceFacts>;
  readonly #clock: Clock;
  readonly #opened: Promise<void>;
  #gadgets: Gadget[] = [];
  #isSimulated = false;

  constructor(device: Omit<GadgetDevice, keyof DeviceFacts>, clock: Clock, list: readonly OpenGadget[] = gadgetList) {
    this.#device = device;
    this.#clock = clock;
    this.#opened = this.#open(list).catch((error: unknown) => {
      if (!device.signal.aborted) device.log.warn({ err: error }, "the device did not say what it has");
    });
  }

  /** Sends a viewer the device's capabilities and its state, once they are known. */
  async introduce(send: Send): Promise<void> {
    await this.#opened;
    if (this.#device.signal.aborted) return;
    send(capabilitiesMessage(this.#capabilities()));
    for (const gadget of this.#gadgets) gadget.introduce?.(send);
  }

  /** What the device can do, once that is known. */
  async capabilities(): Promise<Capabilities> {
    await this.#opened;
    return this.#capabilities();
  }

  /** Hands a command to the gadgets of its channel; without one it is dropped. */
  handle(command: GadgetCommand, reply: Send): void {
    const channel = "channel" in command ? command.channel : command.type;
    for (const gadget of this.#gadgets) if (gadget.channels.includes(channel)) gadget.handle(command, reply);
  }

  /** The viewer with this `reply` is gone. */
  leave(reply: Send): void {
    for (const gadget of this.#gadgets) gadget.leave?.(reply);
  }

  /** Whether its keyboard has every character there is, as far as is known yet. */
  get typesAll(): boolean {
    return this.#isSimulated;
  }

  release(): void {
    for (const gadget of this.#gadgets) gadget.release?.();
    this.#gadgets = [];
  }

  async #open(list: readonly OpenGadget[]): Promise<void> {
    const { shell, signal, log } = this.#device;
    const probe = <T>(work: (probing: AbortSignal) => Promise<T>) =>
      within(PROBE_TIMEOUT_MS, this.#clock, signal, work);
    const facts = await probe((probing) => deviceFactsOf(shell, probing));
    const device = { ...this.#device, ...facts, console: await probe((probing) => this.#answeringConsole(probing)) };
    this.#isSimulated = facts.isSimulated;
    const opened = await Promise.all(
      list.map((open) =>
        probe(async (probing) => open(device, probing)).catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: error }, "a gadget could not be opened");
          return undefined;
        }),
      ),
    );
    this.#gadgets = opened.filter((gadget) => gadget !== undefined);
    if (signal.aborted) this.release();
  }

  /** An emulator's console, if it is there and lets us in. */
  async #answeringConsole(probing: AbortSignal): Promise<GadgetDevice["console"]> {
    const { console, log } = this.#device;
    try {
      await console?.send("avd name", probing);
      return console;
    } catch (error) {
      log.info({ err: error }, "the emulator's console cannot be used");
      return undefined;
    }
  }

  #capabilities(): Capabilities {
    const names = this.#gadgets.flatMap(({ capabilities }) => capabilities ?? []);
    return { ...noCapabilities, ...Object.fromEntries(names.map((name) => [name, true])) };
  }
}
