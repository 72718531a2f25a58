import type { ByteStream } from "@terrarium/adb";
import {
  type ControlMessage,
  ControlReader,
  encodeDeviceMessage,
  type Position,
  type ServerOptions,
} from "@terrarium/scrcpy";
import { type Gamepad, keysOf } from "../device/gamepads.ts";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { VideoStream } from "@terrarium/video";

/** android.view.KeyEvent. */
const key = { back: 4, notification: 83, cut: 277, copy: 278, paste: 279 } as const;
const MAX_POINTERS = 10;
const MAX_GAMEPADS = 8;

/** Applies a client's control messages to the device, and answers them. */
export class Control {
  readonly #device: SimulatedDevice;
  readonly #stream: ByteStream;
  readonly #options: ServerOptions;
  readonly #video: VideoStream | undefined;
  /** The client's pointer ids; the index is the screen's pointer number. */
  readonly #pointers: (bigint | undefined)[] = [];
  #ownClipboard = false;
  readonly #gamepads = new Map<number, Gamepad>();

  constructor(stream: ByteStream, device: SimulatedDevice, options: ServerOptions, video: VideoStream | undefined) {
    this.#stream = stream;
    this.#device = device;
    this.#options = options;
    this.#video = video;
  }

  /** Handles messages until the stream ends. Fingers that are still down are then lifted. */
  async run(): Promise<void> {
    const stopWatching = this.#device.state.watch(({ clipboard }) => {
      if (clipboard !== undefined && !this.#ownClipboard && this.#options.clipboardAutosync)
        this.#sendClipboard(clipboard);
    });
    const reader = new ControlReader();
    try {
      for await (const chunk of this.#stream)
        for (const message of reader.push(chunk)) {
          this.#do(message);
          // Each press draws the screen: a hundred at once must not hold up the other devices of this process.
          if ("action" in message && message.action === "down") await new Promise((resolve) => setImmediate(resolve));
        }
    } finally {
      stopWatching();
      if (!this.#device.ended.aborted)
        for (const [at, pointer] of this.#pointers.entries())
          if (pointer !== undefined) this.#device.display.screen.touch("cancel", at, 0, 0);
      for (const id of this.#gamepads.keys()) this.#unplug(id);
    }
  }

  #do(message: ControlMessage): void {
    const device = this.#device;
    const { screen } = device.display;
    switch (message.type) {
      case "key":
        return screen.key(message.action, message.keyCode, message.metaState);
      case "text":
        return screen.text(message.text);
      case "touch":
        return this.#touch(message);
      case "scroll": {
        const at = this.#place(message.position);
        return at && screen.scroll(at.x, at.y, message.horizontal, message.vertical);
      }
      case "backOrScreenOn":
        if (device.state.values.screenOn) return screen.key(message.action, key.back, 0);
        return message.action === "down" ? device.state.set({ screenOn: true }) : undefined;
      case "getClipboard":
        if (message.copyKey !== "none") this.#press(key[message.copyKey]);
        return this.#sendClipboard(device.state.values.clipboard);
      case "setClipboard":
        this.#ownClipboard = true;
        device.state.set({ clipboard: message.text });
        this.#ownClipboard = false;
        if (message.paste) this.#press(key.paste);
        if (message.sequence !== 0n)
          this.#sendBytes(encodeDeviceMessage({ type: "clipboardSet", sequence: message.sequence }));
        return;
      case "setDisplayPower":
        return device.state.set({ screenOn: message.on, locked: device.state.values.locked });
      case "rotate":
        return device.state.set({ rotation: device.state.values.rotation % 2 === 0 ? 1 : 0 });
      case "expandNotifications":
      case "expandSettings":
        return this.#press(key.notification);
      case "startApp":
        return this.#startApp(message.name);
      case "uhidCreate":
        return this.#plug(message);
      case "uhidInput":
        return this.#report(message.id, message.data);
      case "uhidDestroy":
        return this.#unplug(message.id);
      case "resetVideo":
        return this.#video?.reset();
      case "scanFile":
        // The file system needs no index.
        return;
      default:
        return device.log("W", "scrcpy", `${message.type} is not something a simulated device can do`);
    }
  }

  #touch({ action, pointerId, position }: Extract<ControlMessage, { type: "touch" }>): void {
    if (action !== "down" && action !== "move" && action !== "up" && action !== "cancel") return;
    const place = this.#place(position);
    let pointer = this.#pointers.indexOf(pointerId);
    if (pointer < 0) {
      if (action !== "down") return;
      const free = this.#pointers.indexOf(undefined);
      pointer = free < 0 ? this.#pointers.length : free;
      if (pointer >= MAX_POINTERS) return;
    }
    // For a picture of another size: the real server drops it, but a finger must not stay down.
    if (!place && (action === "down" || action === "move")) return;
    this.#pointers[pointer] = action === "up" || action === "cancel" ? undefined : pointerId;
    this.#device.display.screen.touch(place ? action : "cancel", pointer, place?.x ?? 0, place?.y ?? 0);
  }

  /** The place on the screen; undefined when it was meant for a picture of another size. */
  #place({ x, y, width, height }: Position): { x: number; y: number } | undefined {
    const { screen } = this.#device.display;
    const size = this.#video ? this.#video.size : screen;
    if (!size || size.width !== width || size.height !== height) return undefined;
    return { x: (x * screen.width) / width, y: (y * screen.height) / height };
  }

  #startApp(name: string): void {
    const restart = name.startsWith("+");
    const plain = name.replace(/^\+/, "");
    const byLabel = plain.startsWith("?") ? plain.slice(1).toLowerCase() : undefined;
    const found = this.#device.packages
      .launchable()
      .find((one) => (byLabel === undefined ? one.packageName === plain : one.label.toLowerCase().startsWith(byLabel)));
    if (!found) return this.#device.log("W", "scrcpy", `Cannot start unknown app: ${plain}`);
    if (restart) this.#device.stopApp(found.packageName);
    this.#device.startApp(found.packageName);
  }

  #plug({ id, name, vendorId, productId }: Extract<ControlMessage, { type: "uhidCreate" }>): void {
    this.#unplug(id);
    if (this.#device.gamepads.size >= MAX_GAMEPADS) return;
    const pad: Gamepad = { name, vendorId, productId, report: new Uint8Array(0) };
    this.#gamepads.set(id, pad);
    this.#device.gamepads.add(pad);
    this.#device.log("I", "EventHub", `New device: name='${name}', classes=GAMEPAD | JOYSTICK`);
  }

  #report(id: number, report: Uint8Array): void {
    const pad = this.#gamepads.get(id);
    if (!pad) return;
    const before = keysOf(pad);
    pad.report = report.slice();
    const now = keysOf(pad);
    const { screen } = this.#device.display;
    for (const code of before) if (!now.includes(code)) screen.key("up", code, 0);
    for (const code of now) if (!before.includes(code)) screen.key("down", code, 0);
  }

  #unplug(id: number): void {
    const pad = this.#gamepads.get(id);
    if (!pad) return;
    if (!this.#device.ended.aborted) this.#report(id, new Uint8Array(0));
    this.#gamepads.delete(id);
    this.#device.gamepads.delete(pad);
  }

  #press(keyCode: number): void {
    const { screen } = this.#device.display;
    screen.key("down", keyCode, 0);
    screen.key("up", keyCode, 0);
  }

  #sendClipboard(text: string): void {
    this.#sendBytes(encodeDeviceMessage({ type: "clipboard", text }));
  }

  #sendBytes(bytes: Uint8Array): void {
    // The reader notices when the client is gone.
    this.#stream.write(bytes).catch(() => undefined);
  }
}
