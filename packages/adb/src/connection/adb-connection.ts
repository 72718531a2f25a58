import { type Auth, type AuthMessage } from "../auth/auth-message.ts";
import { AdbError, isPeerFault } from "../errors.ts";
import {
  command,
  commandNames,
  DELAYED_ACK,
  MAX_PAYLOAD_BYTES,
  MIN_PAYLOAD_BYTES,
  VERSION,
  WINDOW_BYTES,
} from "../packet/constants.ts";
import { encodePacket, type Packet } from "../packet/packet.ts";
import { PacketReader } from "../packet/packet-reader.ts";
import { onAbort, orAborted } from "../wait.ts";
import { AdbStream, type StreamPort } from "./adb-stream.ts";
import { parseBanner } from "./banner.ts";
import type { Duplex } from "./duplex.ts";
import { Outbox } from "./outbox.ts";

/** Called with a stream that the peer opened, once it was confirmed to the peer. A promise that rejects closes the stream. */
export type AcceptStream = (stream: AdbStream) => void | Promise<void>;

/** Returns what accepts a service that the peer opens, or undefined to refuse it. The signal aborts with the connection. */
type OpenHandler = (
  service: string,
  signal: AbortSignal,
) => AcceptStream | undefined | Promise<AcceptStream | undefined>;

export interface ConnectionOptions {
  /** The host speaks first, the device answers. */
  role: "host" | "device";
  /** How we describe ourselves. */
  banner: string;
  /** A host's answers to a device that asks for a key; a device's questions. Without it a device asks nothing. */
  auth?: Auth | undefined;
  /** Default: every service is refused. */
  onOpen?: OpenHandler;
  /** The most streams at once, including those being opened. Default 256. */
  maxStreams?: number;
  /** The largest payload we take, 4096 to 1 MiB, default 1 MiB. Two at most are held for a stream whose reader is slow. */
  maxPayloadBytes?: number;
  /** Called with errors that handlers threw, unless the peer caused them. */
  report?: (error: unknown) => void;
}

const NOTHING = new Uint8Array(0);
/** How many answers may wait for a peer that does not read, beside one packet of data and one answer for each stream. */
const MAX_SPARE_ANSWERS = 1024;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** One end of an adb transport: streams over a pipe of bytes. Host and device differ only in who speaks first. */
export class AdbConnection {
  /** Resolves with the peer's banner once both sides have sent theirs; rejects when the connection ends first. */
  readonly connected: Promise<string>;
  /** Aborts when the connection is over; the reason is the `AdbError` that says why. */
  readonly gone: AbortSignal;
  readonly #options: ConnectionOptions;
  readonly #duplex: Duplex;
  readonly #outbox: Outbox;
  readonly #reader = new PacketReader();
  readonly #gone = new AbortController();
  readonly #streams = new Map<number, AdbStream>();
  /** Streams that the peer has not opened yet. */
  readonly #opening = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  /** How many opens of the peer wait for our handler. */
  #deciding = 0;
  #lastId = 0;
  #isConnected = false;
  /** The host's CNXN, while the device asks who it is. */
  #asking: Packet | undefined;
  /** An AUTH that is not answered yet. */
  #isAnswering = false;
  #withChecksum = true;
  #hasWindows = false;
  #maxPayloadBytes = MIN_PAYLOAD_BYTES;
  #resolveConnected: (banner: string) => void = () => {};
  readonly #port: StreamPort;

  constructor(duplex: Duplex, options: ConnectionOptions) {
    this.#options = options;
    this.#duplex = duplex;
    this.gone = this.#gone.signal;
    this.#outbox = new Outbox(duplex, 2 * this.#maxStreams + MAX_SPARE_ANSWERS, (error) => this.#end(error));
    this.connected = orAborted(new Promise((resolve) => (this.#resolveConnected = resolve)), this.gone);
    // Whoever awaits it gets the rejection; nobody has to await it.
    this.connected.catch(() => {});
    this.#port = this.#createPort();
    duplex.listen({
      data: (chunk) => this.#receive(chunk),
      close: (cause) => this.#end(new AdbError("CLOSED", "the peer closed the connection", { cause })),
    });
    if (options.role === "host") this.#sendConnect();
  }

  get maxPayloadBytes(): number {
    return this.#maxPayloadBytes;
  }

  /** Opens a service of the peer. Rejects with `REFUSED`, `TOO_MANY_STREAMS`, `CLOSED`, or the signal's reason. */
  async open(service: string, signal?: AbortSignal): Promise<AdbStream> {
    signal?.throwIfAborted();
    await orAborted(this.connected, signal);
    this.gone.throwIfAborted();
    const name = encoder.encode(`${service}\0`);
    if (service.includes("\0")) throw new AdbError("INVALID_ARGUMENT", "a service's name cannot have a NUL");
    if (name.length > this.#maxPayloadBytes) throw new AdbError("INVALID_ARGUMENT", "the service's name is too long");
    if (this.#isFull) throw new AdbError("TOO_MANY_STREAMS", `${this.#maxStreams} streams are open already`);
    const stream = new AdbStream(this.#port, service, this.#nextId());
    const opened = new Promise<void>((resolve, reject) => this.#opening.set(stream.localId, { resolve, reject }));
    this.#streams.set(stream.localId, stream);
    // An OKAY that arrives after the abort finds no stream, and is answered with CLSE.
    const undo = onAbort(signal, (reason) => {
      this.#opening.get(stream.localId)?.reject(reason);
      stream.lost(new AdbError("STREAM_CLOSED", "the open was given up"));
    });
    const window = this.#hasWindows ? WINDOW_BYTES : 0;
    this.#send({ command: command.OPEN, arg0: stream.localId, arg1: window, payload: name });
    await opened.finally(undo);
    return stream;
  }

  /** Ends the connection at once. */
  close(): void {
    this.#end(new AdbError("CLOSED", "the connection was closed here"));
  }

  get #maxStreams(): number {
    return this.#options.maxStreams ?? 256;
  }

  get #isFull(): boolean {
    return this.#streams.size + this.#deciding >= this.#maxStreams;
  }

  #createPort(): StreamPort {
    return {
      maxPayloadBytes: () => this.#maxPayloadBytes,
      hasWindows: () => this.#hasWindows,
      sendData: ({ localId, remoteId }, payload) => {
        this.#send({ command: command.WRTE, arg0: localId, arg1: remoteId, payload });
        return this.#outbox.room;
      },
      sendTaken: (stream, bytes) => this.#sendOkay(stream, bytes),
      forget: ({ localId, remoteId }, notifyPeer) => {
        this.#streams.delete(localId);
        this.#opening.delete(localId);
        if (notifyPeer) this.#answer(command.CLSE, localId, remoteId);
      },
    };
  }

  #sendConnect(): void {
    const payload = encoder.encode(this.#options.banner);
    const arg1 = this.#options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES;
    this.#send({ command: command.CNXN, arg0: VERSION, arg1, payload });
  }

  /** `bytes` is for peers with `delayed_ack` alone. */
  #sendOkay({ localId, remoteId }: AdbStream, bytes: number | undefined): void {
    let payload = NOTHING;
    if (bytes !== undefined) {
      payload = new Uint8Array(4);
      new DataView(payload.buffer).setInt32(0, bytes, true);
    }
    this.#send({ command: command.OKAY, arg0: localId, arg1: remoteId, payload });
  }

  #answer(command: number, arg0: number, arg1: number): void {
    this.#send({ command, arg0, arg1, payload: NOTHING });
  }

  #send(packet: Packet): void {
    this.#outbox.send(encodePacket(packet, this.#withChecksum));
  }

  #receive(chunk: Uint8Array): void {
    if (this.gone.aborted) return;
    try {
      for (const packet of this.#reader.push(chunk)) {
        this.#handle(packet);
        if (this.gone.aborted) return;
      }
    } catch (cause) {
      this.#end(
        cause instanceof AdbError ? cause : new AdbError("PROTOCOL", "a packet could not be handled", { cause }),
      );
    }
  }

  #handle(packet: Packet): void {
    if (packet.command === command.CNXN) return this.#handleConnect(packet);
    if (packet.command === command.STLS) throw this.#noTls();
    if (packet.command === command.AUTH) return this.#handleAuth({ type: packet.arg0, data: packet.payload });
    if (!this.#isConnected)
      throw new AdbError("PROTOCOL", `${commandNames.get(packet.command)} before the connection was agreed`);
    if (packet.command === command.OPEN) void this.#handleOpen(packet);
    else if (packet.command === command.OKAY) this.#handleOkay(packet);
    else if (packet.command === command.WRTE) this.#handleWrite(packet);
    else this.#handleClose(packet);
  }

  #handleConnect(packet: Packet): void {
    const { arg1: maxPayloadBytes } = packet;
    if (this.#isConnected || this.#asking) throw new AdbError("PROTOCOL", "connected twice");
    if (maxPayloadBytes < MIN_PAYLOAD_BYTES)
      throw new AdbError(
        "PROTOCOL",
        `the peer takes ${maxPayloadBytes} bytes, no adb takes less than ${MIN_PAYLOAD_BYTES}`,
      );
    const question = this.#options.role === "device" ? this.#options.auth?.ask?.() : undefined;
    if (!question) return this.#agree(packet);
    this.#asking = packet;
    this.#sendAuth(question);
  }

  #agree({ arg0: version, arg1: maxPayloadBytes, payload }: Packet): void {
    this.#asking = undefined;
    this.#maxPayloadBytes = Math.min(maxPayloadBytes, this.#options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES);
    this.#reader.maxPayloadBytes = this.#maxPayloadBytes;
    if (this.#options.role === "device") this.#sendConnect();
    this.#withChecksum = version < VERSION;
    this.#isConnected = true;
    const banner = decoder.decode(payload);
    this.#hasWindows = [banner, this.#options.banner].every((each) => parseBanner(each).features.has(DELAYED_ACK));
    this.#resolveConnected(banner);
  }

  #handleAuth(message: AuthMessage): void {
    const { role, auth } = this.#options;
    const isDue = role === "host" ? !this.#isConnected : this.#asking !== undefined;
    if (!auth || !isDue || this.#isAnswering) throw new AdbError("PROTOCOL", "an AUTH that was not asked for");
    this.#isAnswering = true;
    void this.#answerAuth(auth, message);
  }

  async #answerAuth(auth: Auth, message: AuthMessage): Promise<void> {
    try {
      const answer = await auth.answer(message, this.gone);
      this.#isAnswering = false;
      if (this.gone.aborted) return;
      if (answer !== "accepted") this.#sendAuth(answer);
      else if (this.#asking) this.#agree(this.#asking);
    } catch (cause) {
      if (cause instanceof AdbError) return this.#end(cause);
      this.#options.report?.(cause);
      this.#end(new AdbError("AUTH_REFUSED", "the key could not be used or checked", { cause }));
    }
  }

  #noTls(): AdbError {
    const isAsked = this.#options.role === "host" && !this.#isConnected;
    return isAsked
      ? new AdbError("AUTH_REQUIRED", "the device asks for TLS, which is not spoken here")
      : new AdbError("PROTOCOL", "TLS that was not asked for");
  }

  #sendAuth({ type, data }: AuthMessage): void {
    this.#send({ command: command.AUTH, arg0: type, arg1: 0, payload: data });
  }

  async #handleOpen({ arg0: remoteId, arg1: window, payload }: Packet): Promise<void> {
    if (remoteId === 0) return this.#end(new AdbError("PROTOCOL", "a stream cannot have the id 0"));
    if (this.#isFull || (this.#hasWindows && window === 0)) return this.#answer(command.CLSE, 0, remoteId);
    const service = decoder.decode(payload).replace(/\0.*$/s, "");
    let accept: AcceptStream | undefined;
    this.#deciding++;
    try {
      accept = await this.#options.onOpen?.(service, this.gone);
    } catch (error) {
      this.#options.report?.(error);
    } finally {
      this.#deciding--;
    }
    if (this.gone.aborted) return;
    if (!accept) return this.#answer(command.CLSE, 0, remoteId);
    const stream = new AdbStream(this.#port, service, this.#nextId());
    stream.remoteId = remoteId;
    this.#streams.set(stream.localId, stream);
    if (this.#hasWindows) stream.acknowledge(window);
    this.#sendOkay(stream, this.#hasWindows ? WINDOW_BYTES : undefined);
    try {
      await accept(stream);
    } catch (error) {
      if (!isPeerFault(error)) this.#options.report?.(error);
      stream.close();
    }
  }

  #handleOkay({ arg0: remoteId, arg1: localId, payload }: Packet): void {
    if (this.#hasWindows && payload.length !== 4)
      throw new AdbError("PROTOCOL", "an OKAY that does not say for how many bytes");
    const bytes = this.#hasWindows ? new DataView(payload.buffer).getInt32(0, true) : undefined;
    const stream = this.#streams.get(localId);
    // We gave up the open before the peer answered, so the service that it started has to be ended.
    if (!stream) return this.#answer(command.CLSE, localId, remoteId);
    if (remoteId === 0) return;
    const opening = this.#opening.get(localId);
    if (opening) {
      this.#opening.delete(localId);
      stream.remoteId = remoteId;
      stream.acknowledge(bytes);
      opening.resolve();
    } else if (stream.remoteId === remoteId) {
      stream.acknowledge(bytes);
    }
  }

  #handleWrite({ arg0: remoteId, arg1: localId, payload }: Packet): void {
    const stream = this.#streams.get(localId);
    // The peer wrote before it learned that the stream is closed.
    if (!stream || stream.remoteId !== remoteId) return;
    if (!stream.receive(payload))
      throw new AdbError("PROTOCOL", `the peer does not wait before it writes to ${stream.service}`);
  }

  /** A stream that is not known was closed here first; adb's own peers send CLSE twice as well. */
  #handleClose({ arg0: remoteId, arg1: localId }: Packet): void {
    const stream = this.#streams.get(localId);
    if (!stream) return;
    const opening = this.#opening.get(localId);
    if (opening) {
      this.#opening.delete(localId);
      opening.reject(new AdbError("REFUSED", `the peer refused ${stream.service}`));
      stream.lost(new AdbError("REFUSED", `the peer refused ${stream.service}`));
    } else if (remoteId === 0 || stream.remoteId === remoteId) {
      // Older adb closes with 0 as its own id.
      stream.endedByPeer();
    }
  }

  #nextId(): number {
    do this.#lastId = this.#lastId >= 0xffffffff ? 1 : this.#lastId + 1;
    while (this.#streams.has(this.#lastId));
    return this.#lastId;
  }

  #end(error: AdbError): void {
    if (this.gone.aborted) return;
    this.#gone.abort(error);
    this.#outbox.close();
    this.#duplex.close();
    for (const opening of this.#opening.values()) opening.reject(error);
    for (const stream of this.#streams.values()) stream.lost(error);
  }
}
