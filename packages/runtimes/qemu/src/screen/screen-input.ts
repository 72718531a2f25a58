import { type ControlMessage, MOUSE_POINTER_ID, type Position } from "@terrarium/scrcpy";
import { keysFor, keysToType } from "./keys.ts";
import { keyEvent, pointerEvent, type Size } from "./rfb.ts";

const LEFT = 1;
const WHEEL_UP = 8;
const WHEEL_DOWN = 16;
const BACK = 4;
/** Notches of a wheel in one message. */
const MAX_NOTCHES = 16;

/** Turns scrcpy's control messages into what is done to a virtual keyboard and a tablet, which knows one finger. */
export class ScreenInput {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #size: () => Size;
  readonly #held = new Set<number>();
  #finger: bigint | undefined;
  #place = { x: 0, y: 0 };

  constructor(send: (bytes: Uint8Array) => void, size: () => Size) {
    this.#send = send;
    this.#size = size;
  }

  /** Does nothing of what neither a keyboard nor a tablet can do. */
  handle(message: ControlMessage): void {
    switch (message.type) {
      case "touch":
        return this.#touch(message);
      case "scroll":
        return this.#scroll(message.position, message.vertical);
      case "key":
        return this.#press(keysFor(message.keyCode) ?? [], message.action === "down");
      case "backOrScreenOn":
        return this.#press(keysFor(BACK) ?? [], message.action === "down");
      case "text":
        for (const character of message.text) {
          const keys = keysToType(character) ?? [];
          this.#press(keys, true);
          this.#press(keys, false);
        }
        return;
      default:
        return;
    }
  }

  /** Whoever was there is gone: lifts all that is down. */
  release(): void {
    if (this.#finger !== undefined) this.#point(0);
    this.#finger = undefined;
    this.#press([...this.#held], false);
  }

  #touch({ action, pointerId, position, buttons }: Extract<ControlMessage, { type: "touch" }>): void {
    if (pointerId === MOUSE_POINTER_ID) {
      this.#moveTo(position);
      // Android numbers them left, right, middle.
      const isDown = action === "down" || action === "move" || action === "up";
      return this.#point(isDown ? (buttons & 1) | ((buttons & 2) << 1) | ((buttons & 4) >> 1) : 0);
    }
    if (action === "down") this.#finger ??= pointerId;
    if (this.#finger !== pointerId) return;
    this.#moveTo(position);
    const isDown = action === "down" || action === "move";
    this.#point(isDown ? LEFT : 0);
    if (!isDown) this.#finger = undefined;
  }

  #scroll(position: Position, vertical: number): void {
    this.#moveTo(position);
    const held = this.#finger === undefined ? 0 : LEFT;
    for (let notch = Math.min(MAX_NOTCHES, Math.ceil(Math.abs(vertical))); notch > 0; notch--) {
      this.#point(held | (vertical > 0 ? WHEEL_UP : WHEEL_DOWN));
      this.#point(held);
    }
  }

  /** A position is one in the video, which may be smaller than the screen. */
  #moveTo({ x, y, width, height }: Position): void {
    const size = this.#size();
    const scale = (at: number, from: number, to: number) =>
      Math.max(0, Math.min(to - 1, Math.floor((at * to) / Math.max(1, from))));
    this.#place = { x: scale(x, width, size.width), y: scale(y, height, size.height) };
  }

  #point(buttons: number): void {
    this.#send(pointerEvent(buttons, this.#place.x, this.#place.y));
  }

  #press(keys: readonly number[], isDown: boolean): void {
    for (const key of isDown ? keys : keys.toReversed()) {
      this.#send(keyEvent(key, isDown));
      if (isDown) this.#held.add(key);
      else this.#held.delete(key);
    }
  }
}
