import { AdbError } from "../errors.ts";
import { command, HEADER_BYTES } from "../packet/constants.ts";
import { encodePacket } from "../packet/packet.ts";
import { hostAuth, type KeySource } from "./host-auth.ts";

/** No greeting is longer: a banner, or a token. */
const MAX_GREETING_BYTES = 64 * 1024;

/**
 * Answers a device's questions for a key, in place of a host that talks to it through here and has none that the device knows. Give it what
 * the device says first, until it has greeted.
 */
export class KeyAnswerer {
  readonly #auth: ReturnType<typeof hostAuth>;
  #held: Uint8Array = new Uint8Array(0);
  #hasGreeted = false;

  constructor(key: KeySource | undefined) {
    this.#auth = hostAuth(key);
  }

  /** The device asks nothing more: what it says goes to the host. */
  get hasGreeted(): boolean {
    return this.#hasGreeted;
  }

  /** Returns what goes to the host, and what answers the device. Throws `AdbError` if it is no device, or the answer rejects with one. */
  push(chunk: Uint8Array): { toHost?: Uint8Array; toDevice?: Promise<Uint8Array> } {
    if (this.#hasGreeted) return { toHost: chunk };
    const held = (this.#held = Buffer.concat([this.#held, chunk]));
    if (held.length < HEADER_BYTES) return {};
    const view = new DataView(held.buffer, held.byteOffset, held.length);
    const length = view.getUint32(12, true);
    if (length > MAX_GREETING_BYTES) throw new AdbError("PROTOCOL", "a greeting that is too long");
    if (view.getUint32(0, true) !== command.AUTH) {
      this.#hasGreeted = true;
      return { toHost: held };
    }
    if (held.length < HEADER_BYTES + length) return {};
    const data = held.slice(HEADER_BYTES, HEADER_BYTES + length);
    // It waits for an answer now.
    this.#held = held.slice(HEADER_BYTES + length);
    return { toDevice: this.#answer(view.getUint32(4, true), data) };
  }

  async #answer(type: number, data: Uint8Array): Promise<Uint8Array> {
    const answer = await this.#auth.answer({ type, data }, new AbortController().signal);
    if (answer === "accepted") throw new AdbError("PROTOCOL", "a host accepts nobody");
    return encodePacket({ command: command.AUTH, arg0: answer.type, arg1: 0, payload: answer.data }, true);
  }
}
