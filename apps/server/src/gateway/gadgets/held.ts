import type { GadgetDevice, Send } from "./gadget.ts";

/** How one device is asked for something and how it is set. */
export interface Ways<State extends object> {
  /** For the log. */
  name: string;
  /** Undefined when the device has none. Rejects when it cannot be asked. */
  read(signal: AbortSignal): Promise<State | undefined>;
  /** Sets what is named. Rejects when the device refuses. */
  write(change: Partial<State>, signal: AbortSignal): Promise<void>;
  /** The player's messages that say how it is. */
  messagesOf(state: State): string[];
}

/** Something that a device has in one state, which all viewers see and any of them may set. */
export class Held<State extends object> {
  readonly #device: GadgetDevice;
  readonly #ways: Ways<State>;
  #state: State;
  /** What is still to be set; a slider's many steps become the last of them. */
  #wanted: Partial<State> = {};
  #isStale = false;
  #isWorking = false;

  private constructor(device: GadgetDevice, ways: Ways<State>, state: State) {
    this.#device = device;
    this.#ways = ways;
    this.#state = state;
  }

  /** Undefined when the device has none. */
  static async of<State extends object>(device: GadgetDevice, ways: Ways<State>, probing: AbortSignal) {
    const state = await ways.read(probing);
    return state && new Held<State>(device, ways, state);
  }

  /** Sends the present state to a viewer. */
  introduce(send: Send): void {
    for (const message of this.#ways.messagesOf(this.#state)) send(message);
  }

  /** Sets it soon. The state is then broadcast, even if the device has refused. */
  want(change: Partial<State>): void {
    Object.assign(this.#wanted, change);
    this.#isStale = true;
    if (!this.#isWorking) void this.#setUntilDone();
  }

  async #setUntilDone(): Promise<void> {
    const { signal, log } = this.#device;
    this.#isWorking = true;
    // What comes in one message is set together.
    await Promise.resolve();
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      try {
        await this.#setWanted();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `the ${this.#ways.name} could not be set`);
      }
    }
    this.#isWorking = false;
  }

  async #setWanted(): Promise<void> {
    const change = this.#wanted;
    const { signal, broadcast } = this.#device;
    this.#wanted = {};
    try {
      await this.#ways.write(change, signal);
    } finally {
      this.#state = (await this.#ways.read(signal)) ?? this.#state;
      this.introduce(broadcast);
    }
  }
}
