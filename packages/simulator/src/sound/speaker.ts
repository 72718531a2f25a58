import type { DeviceState, DeviceStateValues } from "../device/device-state.ts";
import type { SoundName } from "./sounds.ts";

type Listener = (sound: SoundName | "nothing") => void;

/** What a device lets be heard: its phone, its messages, what is tapped. It makes no sound itself: that is done by who listens. */
export class Speaker {
  readonly #state: DeviceState;
  readonly #listeners = new Set<Listener>();
  #wasRinging: boolean;
  #latest: DeviceStateValues["messages"][number] | undefined;

  constructor(state: DeviceState) {
    this.#state = state;
    this.#wasRinging = this.isRinging;
    this.#latest = state.values.messages.at(-1);
    state.watch(() => this.#look());
  }

  /** Somebody calls, and nobody has answered. */
  get isRinging(): boolean {
    const { call } = this.#state.values;
    return call !== undefined && !call.answered;
  }

  /** Lets it be heard by who listens now; `nothing` ends what is heard. */
  play(sound: SoundName | "nothing"): void {
    for (const listener of this.#listeners) listener(sound);
  }

  /** Calls `listener` for each sound until the returned function is called. */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #look(): void {
    const { isRinging } = this;
    const latest = this.#state.values.messages.at(-1);
    const hasCome = latest !== undefined && latest !== this.#latest;
    const hasTurned = isRinging !== this.#wasRinging;
    this.#latest = latest;
    this.#wasRinging = isRinging;
    if (hasTurned) this.play(isRinging ? "ring" : "nothing");
    else if (hasCome) this.play("notification");
  }
}
