import { AdbError, command, encodePacket, MAX_PAYLOAD_BYTES, type Packet, PacketReader } from "@terrarium/adb";

/** What a client may have sent ahead of its device. */
const MAX_HELD_BYTES = 2 * MAX_PAYLOAD_BYTES;
/** Open at once, in each direction: each is a process or a connection on the device. */
const MAX_STREAMS = 4096;
/** Of each that is held, besides its payload. */
const PACKET_BYTES = 256;
const NOTHING = new Uint8Array(0);

/** One stream of a client, by the client's id. */
interface Stream {
  /** The device has taken what was written last. */
  isFree: boolean;
  /** What the client has written ahead, and that it closes. */
  held: Packet[];
}

/**
 * adb's flow control, for the daemon that comes with `gmsaas`: it writes without waiting for the device, and leaves it to us to
 * acknowledge what the device writes. In adb's own protocol a stream has one unacknowledged WRTE at most, in each direction.
 */
export class DaemonFlow {
  readonly #fromClient = new PacketReader();
  readonly #fromDevice = new PacketReader();
  readonly #streams = new Map<number, Stream>();
  /** Streams that the device opens, by its ids, and the client has not answered yet. */
  readonly #offered = new Set<number>();
  #toClient: Uint8Array[] = [];
  #toDevice: Uint8Array[] = [];
  /** Acknowledgements for a device that talks faster than its client reads. */
  #owed: Uint8Array[] = [];
  #heldBytes = 0;

  constructor() {
    this.#fromClient.maxPayloadBytes = MAX_PAYLOAD_BYTES;
    this.#fromDevice.maxPayloadBytes = MAX_PAYLOAD_BYTES;
  }

  /** The client is too far ahead of the device. */
  get isFull(): boolean {
    return this.#heldBytes >= MAX_HELD_BYTES;
  }

  /** What to send on, in whole packets; the device may go on if its client reads. */
  take(doesClientRead: boolean): { toClient: Uint8Array[]; toDevice: Uint8Array[] } {
    const taken = {
      toClient: this.#toClient,
      toDevice: doesClientRead ? [...this.#toDevice, ...this.#owed] : this.#toDevice,
    };
    this.#toClient = [];
    this.#toDevice = [];
    if (doesClientRead) this.#owed = [];
    return taken;
  }

  /** Throws `AdbError` on what no adb sends. */
  fromClient(chunk: Uint8Array): void {
    for (const packet of this.#fromClient.push(chunk)) this.#takeClients(packet);
  }

  /** Throws `AdbError` on what no adb sends. */
  fromDevice(chunk: Uint8Array): void {
    for (const packet of this.#fromDevice.push(chunk)) this.#takeDevices(packet);
  }

  #takeClients(packet: Packet): void {
    const { arg0: id, arg1: deviceId } = packet;
    if (packet.command === command.OKAY) {
      // Of a stream that the device opened; what it wrote was acknowledged already.
      if (!this.#offered.delete(deviceId)) return;
      this.#streams.set(id, { isFree: true, held: [] });
      return this.#sendToDevice(packet);
    }
    if (packet.command === command.OPEN) {
      if (this.#streams.size >= MAX_STREAMS) throw tooMany();
      this.#streams.set(id, { isFree: false, held: [] });
    }
    if (packet.command === command.CLSE) this.#offered.delete(deviceId);
    const stream = this.#streams.get(id);
    if (!stream || (packet.command !== command.WRTE && packet.command !== command.CLSE))
      return this.#sendToDevice(packet);
    stream.held.push(packet);
    this.#heldBytes += sizeOf(packet);
    this.#advance(id, stream);
  }

  #takeDevices(packet: Packet): void {
    const { arg0: deviceId, arg1: id } = packet;
    const stream = this.#streams.get(id);
    if (packet.command === command.WRTE)
      this.#owed.push(encodePacket({ command: command.OKAY, arg0: id, arg1: deviceId, payload: NOTHING }));
    if (packet.command === command.OPEN && this.#offered.add(deviceId).size > MAX_STREAMS) throw tooMany();
    if (packet.command === command.CLSE && stream) this.#forget(id, stream);
    this.#toClient.push(encodePacket(withoutDelayedAck(packet), packet.command === command.CNXN));
    if (packet.command !== command.OKAY || !stream) return;
    stream.isFree = true;
    this.#advance(id, stream);
  }

  /** Sends what is held, as far as the device takes it. */
  #advance(id: number, stream: Stream): void {
    while (stream.held[0] && (stream.isFree || stream.held[0].command === command.CLSE)) {
      const packet = stream.held.shift();
      if (!packet) return;
      this.#heldBytes -= sizeOf(packet);
      this.#sendToDevice(packet);
      if (packet.command === command.CLSE) return this.#forget(id, stream);
      stream.isFree = false;
    }
  }

  #forget(id: number, stream: Stream): void {
    this.#streams.delete(id);
    for (const packet of stream.held) this.#heldBytes -= sizeOf(packet);
    stream.held = [];
  }

  #sendToDevice(packet: Packet): void {
    this.#toDevice.push(encodePacket(withoutDelayedAck(packet), packet.command === command.CNXN));
  }
}

const tooMany = () => new AdbError("PROTOCOL", "too many streams");

/** What it takes in memory, where even an empty one takes some. */
const sizeOf = ({ payload }: Packet): number => PACKET_BYTES + payload.length;

/** With that feature there may be several unacknowledged packets, counted by bytes. */
function withoutDelayedAck(packet: Packet): Packet {
  if (packet.command !== command.CNXN) return packet;
  const banner = new TextDecoder().decode(packet.payload);
  return { ...packet, payload: new TextEncoder().encode(banner.replace(/,delayed_ack\b|\bdelayed_ack,/, "")) };
}
