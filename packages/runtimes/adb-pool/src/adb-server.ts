import { abortable, type Clock, within } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { connect } from "node:net";
import { SocketStream } from "./socket-stream.ts";

/** A device as `adb devices` shows it; it can be used in the state `device` only. */
export interface ServerDevice {
  serial: string;
  /** `device`, `unauthorized`, `offline`, `no permissions`, ... */
  state: string;
}

/** One that runs answers within milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** A phone that is paired or connected may have to be woken. */
const PHONE_TIMEOUT_MS = 30_000;
/** Longer than the list of a thousand devices. */
const MAX_TEXT_BYTES = 0xffff;

/**
 * The adb server of a computer, which holds its devices on USB, Wi-Fi, and emulators. A request is its length in four hexadecimal digits and
 * a text; the answer is `OKAY`, or `FAIL` with a text.
 */
export class AdbServer {
  readonly #address: AdbAddress;
  readonly #clock: Clock;

  constructor(address: AdbAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** Calls back with all devices, now and at each change, until the signal aborts. Rejects when there is no server, or it ends. */
  async track(onDevices: (devices: ServerDevice[]) => void, signal: AbortSignal): Promise<never> {
    const { stream, text } = await this.#answer("host:track-devices", signal);
    try {
      for (let devices = text; ; devices = await abortable(takeText(stream), signal)) onDevices(parseDevices(devices));
    } finally {
      stream.close();
    }
  }

  /** What a device's adb can do. */
  async features(serial: string, signal: AbortSignal): Promise<Set<string>> {
    const { stream, text } = await this.#answer(`host-serial:${serial}:features`, signal);
    stream.close();
    return new Set(text.split(",").filter(Boolean));
  }

  /** Asks the server itself, as `host:mdns:services`, which may talk to a phone before it answers. Rejects with what it refuses with. */
  async ask(request: string, signal: AbortSignal): Promise<string> {
    const { stream, text } = await this.#answer(request, signal, PHONE_TIMEOUT_MS);
    stream.close();
    return text;
  }

  /** Opens a service of a device. Rejects with what the server or the device says. */
  async open(serial: string, service: string, signal: AbortSignal): Promise<SocketStream> {
    const stream = await this.#open(`host:transport:${serial}`, signal);
    await answered(stream, service, signal);
    return stream;
  }

  /** The first text that it answers, in time. The stream is open. */
  #answer(request: string, signal: AbortSignal, timeoutMs = ANSWER_TIMEOUT_MS) {
    return within(timeoutMs, this.#clock, signal, async (limited) => {
      const stream = await this.#open(request, limited);
      try {
        return { stream, text: await abortable(takeText(stream), limited) };
      } catch (error) {
        stream.close();
        throw error;
      }
    });
  }

  async #open(request: string, signal: AbortSignal): Promise<SocketStream> {
    signal.throwIfAborted();
    const socket = connect({ ...this.#address, noDelay: true });
    const stream = new SocketStream(socket);
    const { host, port } = this.#address;
    const connected = new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", (cause) => reject(new Error(`no adb server answers at ${host}:${port}`, { cause })));
    });
    await abortable(connected, signal).catch((error: unknown) => {
      stream.close();
      throw error;
    });
    await answered(stream, request, signal);
    return stream;
  }
}

const withLength = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TEXT_BYTES) throw new RangeError("an adb server takes no such long request");
  return Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(4, "0")), bytes]);
};

/** Sends a request and waits for OKAY; otherwise closes the stream and throws. */
async function answered(stream: SocketStream, request: string, signal: AbortSignal): Promise<void> {
  try {
    await stream.write(withLength(request));
    const answer = await abortable(stream.take(4), signal);
    if (answer === "OKAY") return;
    throw new Error(answer === "FAIL" ? await abortable(takeText(stream), signal) : "the adb server closed");
  } catch (error) {
    stream.close();
    throw error;
  }
}

async function takeText(stream: SocketStream): Promise<string> {
  const length = Number.parseInt((await stream.take(4)) ?? "", 16);
  const text = length === 0 ? "" : Number.isNaN(length) ? undefined : await stream.take(length);
  if (text === undefined) throw new Error("the adb server closed");
  return text;
}

const parseDevices = (text: string): ServerDevice[] =>
  text.split("\n").flatMap((line) => {
    const [serial, state] = line.split("\t");
    return serial && state ? [{ serial, state: state.trim() }] : [];
  });
