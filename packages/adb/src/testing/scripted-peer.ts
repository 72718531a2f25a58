import type { Duplex, DuplexEvents } from "../connection/duplex.ts";
import { command, commandNames, VERSION } from "../packet/constants.ts";
import { encodePacket } from "../packet/packet.ts";
import { PacketReader } from "../packet/packet-reader.ts";

const encoder = new TextEncoder();

const measureOf = (name: number, payload: Uint8Array) =>
  name === command.OKAY ? `for ${Buffer.from(payload).readInt32LE()}` : payload.length;

/** The other end of a connection, played by hand: it sends what the test says, and records what it receives. */
export class ScriptedPeer implements Duplex {
  /** What was received and not asked for yet: `OKAY 1 7`, followed by the payload's length if it has one, and of an OKAY by its number. */
  #sent: string[] = [];
  #events: DuplexEvents | undefined;
  #room: (() => void) | undefined;
  readonly #reader = new PacketReader();
  isFull = false;
  isClosed = false;

  constructor() {
    this.#reader.maxPayloadBytes = 1024 * 1024;
  }

  listen(events: DuplexEvents): void {
    this.#events = events;
  }

  write(bytes: Uint8Array): undefined | Promise<void> {
    for (const { command, arg0, arg1, payload } of this.#reader.push(bytes))
      this.#sent.push(
        [commandNames.get(command), arg0, arg1, ...(payload.length > 0 ? [measureOf(command, payload)] : [])].join(" "),
      );
    return this.isFull ? new Promise((resolve) => (this.#room = resolve)) : undefined;
  }

  close(): void {
    this.isClosed = true;
  }

  /** The connection under test can write again. */
  makeRoom(): void {
    this.isFull = false;
    this.#room?.();
  }

  /** What was received since the last call, once everything that is due has run. */
  async sent(): Promise<string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#sent.splice(0);
  }

  say(name: keyof typeof command, arg0: number, arg1: number, payload: Uint8Array | string = ""): void {
    const bytes = typeof payload === "string" ? encoder.encode(payload) : payload;
    this.sayBytes(encodePacket({ command: command[name], arg0, arg1, payload: bytes }));
  }

  sayBytes(bytes: Uint8Array): void {
    this.#events?.data(bytes);
  }

  connect(maxPayloadBytes = 1024 * 1024, features = "shell_v2"): void {
    this.say("CNXN", VERSION, maxPayloadBytes, `host::features=${features}`);
  }

  /** OKAY with `delayed_ack`, for so many bytes. */
  acknowledge(arg0: number, arg1: number, bytes: number): void {
    const payload = Buffer.alloc(4);
    payload.writeInt32LE(bytes);
    this.say("OKAY", arg0, arg1, payload);
  }

  hangUp(): void {
    this.#events?.close();
  }
}
