import type { DisplaySession } from "./display-session.ts";
import type { PictureSize } from "./display-status.ts";

/** A message of the player to a device. */
interface Said {
  type?: unknown;
  x?: unknown;
  y?: unknown;
  points?: unknown;
  keycode?: unknown;
}

type Member = Pick<DisplaySession, "send" | "status">;

/** Does on all devices of a page what is done on one of them, while it is on. */
export class Mirror {
  readonly #members = new Map<Member, Map<string, Said>>();
  #isOn = false;
  /** What is sent on is heard again as if it had been done there. */
  #isSending = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** When it ends, the others let go of what is held. */
  set isOn(isOn: boolean) {
    if (!isOn) for (const member of this.#members.keys()) this.#letGo(member);
    this.#isOn = isOn;
  }

  /** A device that does what the others do. The answer takes it out again. */
  join(member: Member): () => void {
    this.#members.set(member, new Map());
    return () => {
      this.#letGo(member);
      this.#members.delete(member);
    };
  }

  /** What somebody has done on one device. */
  hear(from: Member, message: Said): void {
    const held = this.#members.get(from);
    if (!this.#isOn || this.#isSending || !held) return;
    const [what, release] = holdOf(message) ?? [];
    if (what !== undefined && release) held.set(what, release);
    else if (what !== undefined) held.delete(what);
    this.#sendOn(from, message);
  }

  #letGo(member: Member): void {
    const held = this.#members.get(member);
    for (const release of held?.values() ?? []) this.#sendOn(member, release);
    held?.clear();
  }

  #sendOn(from: Member, message: Said): void {
    const size = from.status.picture;
    this.#isSending = true;
    for (const member of this.#members.keys()) {
      const picture = member.status.picture;
      const there = member !== from && size && picture && mapped(message, size, picture);
      if (there) member.send(there);
    }
    this.#isSending = false;
  }
}

/**
 * The same on another picture: at the same part of its width and height as it is held now. Keys are as they are. Undefined for what
 * belongs to one device, as its battery.
 */
export function mapped(message: Said, from: PictureSize, to: PictureSize): object | undefined {
  const { type, points } = message;
  const at = ({ x, y }: Said) => ({
    x: Math.round((Number(x) * to.width) / from.width),
    y: Math.round((Number(y) * to.height) / from.height),
  });
  switch (type) {
    case "KEYBOARD_PRESS":
    case "KEYBOARD_RELEASE":
    case "ROTATE":
      return message;
    case "MULTI_TOUCH":
      return { ...message, points: (points as Said[]).map((point) => at(point)) };
    case "MOUSE_PRESS":
    case "MOUSE_MOVE":
    case "MOUSE_RELEASE":
    case "WHEEL":
    case "FAKE_MULTI_TOUCH_PRESS":
    case "FAKE_MULTI_TOUCH_RELEASE":
      return { ...message, ...at(message) };
    default:
      return undefined;
  }
}

/** What a message takes hold of, and what lets go of it; no second part when the message itself does. */
function holdOf(message: Said): [string, Said | undefined] | undefined {
  const { type, points, keycode } = message;
  switch (type) {
    case "MOUSE_PRESS":
    case "MOUSE_RELEASE":
      return ["mouse", type === "MOUSE_PRESS" ? { ...message, type: "MOUSE_RELEASE" } : undefined];
    case "FAKE_MULTI_TOUCH_PRESS":
    case "FAKE_MULTI_TOUCH_RELEASE":
      return [
        "pinch",
        type === "FAKE_MULTI_TOUCH_PRESS" ? { ...message, type: "FAKE_MULTI_TOUCH_RELEASE" } : undefined,
      ];
    case "MULTI_TOUCH": {
      const release = { ...message, nb: 0, mode: 1, points: [] };
      return ["touch", (points as Said[]).length > 0 ? release : undefined];
    }
    case "KEYBOARD_PRESS":
    case "KEYBOARD_RELEASE":
      return [`key ${keycode}`, type === "KEYBOARD_PRESS" ? { ...message, type: "KEYBOARD_RELEASE" } : undefined];
    default:
      return undefined;
  }
}
