import type { DeviceCommand } from "@terrarium/player";
import type { ControlMessage } from "@terrarium/scrcpy";
import { KeyInput } from "../input/key-input.ts";
import { PointerInput } from "../input/pointer-input.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { CommandBudget } from "./command-budget.ts";

export interface ViewerCommandsDeps {
  device: WatchedDevice;
  /** The viewer's number, unique on this device. */
  viewer: number;
  now(): number;
  /** Sends a message to this viewer's player. */
  reply(message: string): void;
}

/** Carries out what one viewer asks of a device. */
export class ViewerCommands {
  readonly #deps: ViewerCommandsDeps;
  readonly #pointer: PointerInput;
  readonly #keys: KeyInput;
  readonly #budget = new CommandBudget();

  constructor(deps: ViewerCommandsDeps) {
    const { source, replay } = deps.device;
    const send = (message: ControlMessage) => {
      replay.sent(message);
      source.sendControl(message);
    };
    this.#deps = deps;
    this.#pointer = new PointerInput({
      viewer: deps.viewer,
      size: () => source.size,
      send,
    });
    this.#keys = new KeyInput(send, () => deps.device.gadgets.typesAll);
  }

  handle(command: DeviceCommand): void {
    const now = this.#deps.now();
    if (!this.#budget.allows(command, now)) return;
    this.#deps.device.used(now);
    switch (command.type) {
      case "mouse":
      case "wheel":
      case "pinch":
      case "touch":
        return this.#pointer.handle(command);
      case "key":
        return this.#keys.handle(command);
      default:
        this.#deps.device.replay.usedGadget("channel" in command ? command.channel : command.type);
        this.#deps.device.recorded.add(command);
        return this.#deps.device.gadgets.handle(command, this.#deps.reply);
    }
  }

  /** The viewer is gone: releases everything it holds. */
  release(): void {
    this.#pointer.release();
    this.#keys.release();
    this.#deps.device.gadgets.leave(this.#deps.reply);
  }
}
