import { KeyAnswerer, type KeySource } from "@terrarium/adb";
import type { AdbAddress } from "@terrarium/runtime";
import { connect } from "node:net";

/** A connection of its own to a device's adb daemon: raw bytes, with backpressure both ways. */
export interface DevicePipe {
  /** Registers who listens, instead of who did. */
  listen(events: PipeEvents): void;
  /** Returns false if the device has not taken all of it yet; `onDrain` is called when it has. */
  write(bytes: Uint8Array): boolean;
  /** Bytes that it has not taken yet. */
  readonly untaken: number;
  pause(): void;
  resume(): void;
  close(): void;
}

export interface PipeEvents {
  onBytes(bytes: Uint8Array): void;
  onDrain(): void;
  onClose(): void;
}

/** Connects to a device, which the gateway's own link to it does not notice. If it asks for a key, it gets this installation's. */
export function openDevicePipe(address: AdbAddress, key?: KeySource): DevicePipe {
  const socket = connect({ ...address, noDelay: true });
  const answerer = new KeyAnswerer(key);
  let events: PipeEvents | undefined;
  let isClosed = false;
  const fail = () => void socket.destroy();
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    if (answerer.hasGreeted) return events?.onBytes(chunk);
    try {
      const { toHost, toDevice } = answerer.push(chunk);
      if (toHost) events?.onBytes(toHost);
      toDevice?.then((bytes) => void socket.write(bytes), fail);
    } catch {
      fail();
    }
  });
  socket.on("end", fail);
  socket.on("drain", () => events?.onDrain());
  socket.on("close", () => {
    isClosed = true;
    events?.onClose();
  });
  return {
    listen(listener) {
      events = listener;
      if (isClosed) listener.onClose();
    },
    write: (bytes) => socket.write(bytes),
    get untaken() {
      return socket.writableLength;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: fail,
  };
}
