import type { ByteStream } from "../byte-stream.ts";
import { AdbError } from "../errors.ts";

/** Opens a service of the host that registered a reverse. */
export type OpenOnHost = (service: string, signal: AbortSignal | undefined) => Promise<ByteStream>;

interface Reverse {
  remote: string;
  openOnHost: OpenOnHost;
}

/** The most reverses on one device; more is a mistake or an attack. */
const MAX_REVERSES = 256;

/** The ports that Linux hands out to whoever asks for port 0. */
const FIRST_FREE_PORT = 32_768;
const LAST_PORT = 65_535;

const ADDRESS = /^(?:tcp:\d{1,5}|local(?:abstract|reserved|filesystem)?:[^\0;]{1,107})$/;

/**
 * The device's listening sockets whose connections go to a host (`adb reverse`). As in adbd they are the device's, not a
 * connection's: a program on the device does not know which host registered the address.
 */
export class ReverseTable {
  readonly #reverses = new Map<string, Reverse>();

  /** Connects as a program on the device would: `localabstract:scrcpy`, `tcp:8080`. Undefined when no host listens there. */
  async connect(address: string, signal?: AbortSignal): Promise<ByteStream | undefined> {
    const reverse = this.#reverses.get(address);
    return await reverse?.openOnHost(reverse.remote, signal);
  }

  /**
   * Listens at `address` for the host; `tcp:0` picks a free port. Returns the address in use. Throws `AdbError` `FAILED`
   * with adbd's words.
   */
  add(address: string, remote: string, openOnHost: OpenOnHost, rebind: boolean): string {
    if (!ADDRESS.test(address) || remote === "")
      throw new AdbError("FAILED", `unknown socket specification: ${address}`);
    const chosen = address === "tcp:0" ? this.#freePort() : address;
    const isKnown = this.#reverses.has(chosen);
    if (isKnown && !rebind) throw new AdbError("FAILED", "cannot rebind existing socket");
    if (!isKnown && this.#reverses.size >= MAX_REVERSES) throw new AdbError("FAILED", "too many listeners");
    this.#reverses.set(chosen, { remote, openOnHost });
    return chosen;
  }

  /** False when nothing listens there. */
  remove(address: string): boolean {
    return this.#reverses.delete(address);
  }

  removeAll(): void {
    this.#reverses.clear();
  }

  /** Removes what a host registered; it is gone. */
  removeOf(openOnHost: OpenOnHost): void {
    for (const [address, reverse] of this.#reverses)
      if (reverse.openOnHost === openOnHost) this.#reverses.delete(address);
  }

  /** One line each, as `adb reverse --list` prints them. */
  format(): string {
    return [...this.#reverses].map(([address, { remote }]) => `(reverse) ${address} ${remote}\n`).join("");
  }

  #freePort(): string {
    for (let port = FIRST_FREE_PORT; port <= LAST_PORT; port++)
      if (!this.#reverses.has(`tcp:${port}`)) return `tcp:${port}`;
    throw new AdbError("FAILED", "no port is free");
  }
}
