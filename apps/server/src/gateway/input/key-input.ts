import { androidKeyOf, type InputCommand, metaStates } from "@terrarium/player";
import type { ControlMessage } from "@terrarium/scrcpy";

export type KeyCommand = Extract<InputCommand, { type: "key" }>;

/** More keys than two hands can hold; further presses are ignored. */
const MAX_HELD = 16;
/** With alt, ctrl or meta held, a letter is a shortcut rather than text. */
const SHORTCUT = 0x2 | 0x1000 | 0x10000;
const KEYCODE_A = 29;
const KEYCODE_0 = 7;
/** Android's own keyboard has Latin letters, with their accents, and nothing beyond. */
const LATIN = /^[\0-\u017F]*$/;

/** Turns one viewer's keys into Android's: characters become text, all others are key presses and releases. */
export class KeyInput {
  readonly #send: (message: ControlMessage) => void;
  /** How many times each held key has repeated. */
  readonly #held = new Map<number, number>();

  readonly #typesAll: () => boolean;

  /** A device that does not type all characters has the others pasted, which replaces its clipboard. */
  constructor(send: (message: ControlMessage) => void, typesAll: () => boolean = () => true) {
    this.#send = send;
    this.#typesAll = typesAll;
  }

  handle(command: KeyCommand): void {
    const keyCode = this.#keyCodeOf(command);
    if (keyCode === undefined) {
      if (command.action === "press" && command.text !== "") this.#write(command.text);
    } else if (command.action === "press") this.#press(keyCode);
    else this.#release(keyCode);
  }

  /** The viewer is gone: releases all keys. */
  release(): void {
    for (const keyCode of this.#held.keys()) this.#release(keyCode);
  }

  #keyCodeOf(command: KeyCommand): number | undefined {
    if (command.text === "") return androidKeyOf(command);
    return (this.#metaState() & SHORTCUT) !== 0 ? characterKey(command.text) : undefined;
  }

  #write(text: string): void {
    if (LATIN.test(text) || this.#typesAll()) this.#send({ type: "text", text });
    else this.#send({ type: "setClipboard", sequence: 0n, paste: true, text });
  }

  #press(keyCode: number): void {
    const held = this.#held.get(keyCode);
    if (held === undefined && this.#held.size >= MAX_HELD) return;
    const repeat = held === undefined ? 0 : held + 1;
    this.#held.set(keyCode, repeat);
    this.#send({ type: "key", action: "down", keyCode, repeat, metaState: this.#metaState() });
  }

  #release(keyCode: number): void {
    if (!this.#held.delete(keyCode)) return;
    this.#send({ type: "key", action: "up", keyCode, repeat: 0, metaState: this.#metaState() });
  }

  #metaState(): number {
    let state = 0;
    for (const keyCode of this.#held.keys()) state |= metaStates.get(keyCode) ?? 0;
    return state;
  }
}

/** The key code of a letter or digit. */
function characterKey(text: string): number | undefined {
  if (/^[a-z]$/i.test(text)) return KEYCODE_A + text.toLowerCase().charCodeAt(0) - 97;
  return /^\d$/.test(text) ? KEYCODE_0 + Number(text) : undefined;
}
