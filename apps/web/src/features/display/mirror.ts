import type { DisplaySession, PictureSize } from "@terrarium/sdk/display";

/** A message of the player to a device. */
interface Said {
  type?: string;
  x?: number;
  y?: number;
  points?: Said[];
  keycode?: number;
}

type Member = Pick<DisplaySession, "send" | "status">;

/** Does on all devices of a page what is done on one of them, while it is on. */
export class Mirror {
  readonly #members = new Map<Member, Map<string, Said>>();
  #isOn = false;
  /** What is sent on is heard again as if it had been done there. */
  #isSending = false;

  /** On or off. When it ends, the others let go of what is held. */
  turn(isOn: boolean): void {
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
  const { type = "", points = [] } = message;
  const at = ({ x = 0, y = 0 }: Said) => ({
    x: Math.round((x * to.width) / from.width),
    y: Math.round((y * to.height) / from.height),
  });
  if (/^(KEYBOARD_|ROTATE$)/.test(type)) return message;
  if (type === "MULTI_TOUCH") return { ...message, points: points.map((point) => at(point)) };
  return /^(MOUSE_|WHEEL$|FAKE_MULTI_TOUCH_)/.test(type) ? { ...message, ...at(message) } : undefined;
}

/** What a message takes hold of, and what lets go of it; no second part when the message itself does. */
function holdOf(message: Said): [string, Said | undefined] | undefined {
  const { type = "", points = [], keycode } = message;
  if (type === "MULTI_TOUCH")
    return [type, points.length > 0 ? ({ ...message, nb: 0, mode: 1, points: [] } as Said) : undefined];
  const [, what, how] = /^(.+)_(PRESS|RELEASE)$/.exec(type) ?? [];
  if (what === undefined) return undefined;
  return [`${what} ${String(keycode)}`, how === "PRESS" ? { ...message, type: `${what}_RELEASE` } : undefined];
}
