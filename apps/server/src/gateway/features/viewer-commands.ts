import {
  fingerprintAutoMessage,
  fingerprintStatusMessage,
  networkSwitchesMessage,
  type PlayerCommand,
} from "@terrarium/player";
import type { WatchedDevice } from "../watched-device.ts";
import { CommandBudget } from "./command-budget.ts";
import { KeyInput } from "./key-input.ts";
import { PointerInput } from "./pointer-input.ts";

export interface ViewerCommandsDeps {
  device: WatchedDevice;
  /** The viewer's number on this device. */
  viewer: number;
  now(): number;
  /** Sends a message to this viewer's player. */
  reply(message: string): void;
}

/** Does what one viewer asks of a device. */
export class ViewerCommands {
  readonly #deps: ViewerCommandsDeps;
  readonly #pointer: PointerInput;
  readonly #keys: KeyInput;
  readonly #budget = new CommandBudget();

  constructor(deps: ViewerCommandsDeps) {
    const { source } = deps.device;
    this.#deps = deps;
    this.#pointer = new PointerInput({
      viewer: deps.viewer,
      size: () => source.size,
      send: (message) => source.sendControl(message),
    });
    this.#keys = new KeyInput((message) => source.sendControl(message));
  }

  handle(command: PlayerCommand): void {
    const now = this.#deps.now();
    if (!this.#budget.allows(command, now)) return;
    this.#deps.device.used(now);
    const { source, battery } = this.#deps.device;
    switch (command.type) {
      case "mouse":
      case "wheel":
      case "pinch":
      case "touch":
        return this.#pointer.handle(command);
      case "key":
        return this.#keys.handle(command);
      case "rotate":
        return source.sendControl({ type: "rotate" });
      case "clipboard":
        return source.sendControl({ type: "setClipboard", sequence: 0n, paste: false, text: command.text });
      case "batteryLevel":
        return battery.set({ level: command.percent });
      case "batteryStatus":
        return battery.set({ status: command.status });
      case "networkSwitch":
        return this.#deps.reply(networkSwitchesMessage({ wifi: true, mobile: true }));
      case "notify":
        return this.#notify(command.channel);
      default:
        // Widgets of what this device cannot do are switched off by its capabilities.
        return undefined;
    }
  }

  /** The viewer is gone: nothing of it stays pressed. */
  release(): void {
    this.#pointer.release();
    this.#keys.release();
  }

  /** A widget that asked waits for an answer. */
  #notify(channel: string): void {
    if (channel !== "fingerprint") return;
    this.#deps.reply(fingerprintStatusMessage("idle"));
    this.#deps.reply(fingerprintAutoMessage(false));
  }
}
