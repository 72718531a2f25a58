import type { ByteReader } from "@terrarium/runtime";
import type { Framebuffer } from "./framebuffer.ts";

/*
 * The part of RFB 3.8 (RFC 6143) that QEMU needs to show a screen: plain rectangles, as the socket never leaves the host. The messages
 * about keys are QEMU's own ("QEMU Extended Key Event Message" of the community's description), which names keys by their place.
 */
const VERSION = "RFB 003.008\n";
const NO_PASSWORD = 1;
const encodings = { raw: 0, copy: 1, size: -223, extendedKeys: -258 } as const;
const serverMessages = { update: 0, colours: 1, bell: 2, text: 3 } as const;
const MAX_PIXELS = 4096 * 4096;
const MAX_WORDS = 1 << 20;

/** True colours, the bytes of a pixel in the order red, green, blue, nothing. */
const pixelFormat = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]);

export interface Size {
  width: number;
  height: number;
}

/** Agrees with the server on how it is spoken. Answers the size of the screen. @throws Error if it is no such server */
export async function greet(reader: ByteReader, send: (bytes: Uint8Array) => void): Promise<Size> {
  const version = String(await exactly(reader, VERSION.length));
  if (version !== VERSION) throw new Error("no screen answers");
  send(Buffer.from(VERSION));
  const offered = await exactly(reader, (await exactly(reader, 1))[0]!);
  if (!offered.includes(NO_PASSWORD)) throw new Error("the screen wants a password");
  send(Uint8Array.of(NO_PASSWORD));
  if ((await exactly(reader, 4)).readUInt32BE() !== 0) throw new Error("the screen refuses to be seen");
  const SHARED = 1;
  send(Uint8Array.of(SHARED));
  const size = sizeIn(await exactly(reader, 20));
  await exactly(reader, lengthIn(await exactly(reader, 4)));
  send(Buffer.concat([Uint8Array.of(0, 0, 0, 0), pixelFormat]));
  const known = Object.values(encodings);
  const list = Buffer.alloc(4 + 4 * known.length);
  list[0] = 2;
  list.writeUInt16BE(known.length, 2);
  for (const [at, encoding] of known.entries()) list.writeInt32BE(encoding, 4 + 4 * at);
  send(list);
  return size;
}

/** Draws the next update of the screen. @throws Error if the server ends, or says what it must not */
export async function drawUpdate(reader: ByteReader, framebuffer: Framebuffer): Promise<void> {
  for (;;) {
    const type = (await exactly(reader, 1))[0];
    switch (type) {
      case serverMessages.update: {
        const count = (await exactly(reader, 3)).readUInt16BE(1);
        for (let at = 0; at < count; at++) await drawRectangle(reader, framebuffer);
        framebuffer.finish();
        return;
      }
      case serverMessages.bell:
        break;
      case serverMessages.text:
        await exactly(reader, lengthIn(await exactly(reader, 7), 3));
        break;
      default:
        throw new Error(`the screen sent a message of type ${type}`);
    }
  }
}

async function drawRectangle(reader: ByteReader, framebuffer: Framebuffer): Promise<void> {
  const head = await exactly(reader, 12);
  const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as [number, number, number, number];
  const area = { x, y, width, height };
  switch (head.readInt32BE(8)) {
    case encodings.raw: {
      const rows = framebuffer.rowsOf(area);
      let [row, filled] = [0, 0];
      let left = rows.length * width * 4;
      for await (const part of reader.stream(left)) {
        left -= part.length;
        for (let at = 0; at < part.length;) {
          const piece = part.subarray(at, at + width * 4 - filled);
          rows[row]!.set(piece, filled);
          at += piece.length;
          filled += piece.length;
          if (filled === width * 4) [row, filled] = [row + 1, 0];
        }
      }
      if (left > 0) throw ended();
      return;
    }
    case encodings.copy: {
      const from = await exactly(reader, 4);
      framebuffer.copy(area, from.readUInt16BE(0), from.readUInt16BE(2));
      return;
    }
    case encodings.size:
      framebuffer.resize(sizeIn(head.subarray(4)));
      return;
    case encodings.extendedKeys:
      return;
    default:
      throw new Error(`the screen has an encoding that was not asked for: ${head.readInt32BE(8)}`);
  }
}

/** Asks for what changes from now on, or for all of it. */
export function updateRequest({ width, height }: Size, isIncremental: boolean): Uint8Array {
  const message = Buffer.alloc(10);
  message.set([3, Number(isIncremental)]);
  message.writeUInt16BE(width, 6);
  message.writeUInt16BE(height, 8);
  return message;
}

/** @param buttons bits: left, middle, right, wheel up, wheel down */
export function pointerEvent(buttons: number, x: number, y: number): Uint8Array {
  const message = Buffer.alloc(6);
  message.set([5, buttons]);
  message.writeUInt16BE(x, 2);
  message.writeUInt16BE(y, 4);
  return message;
}

/** @param key its number in set 1 of scan codes; those with the prefix E0 have 0x80 added */
export function keyEvent(key: number, isDown: boolean): Uint8Array {
  const message = Buffer.alloc(12);
  message.set([255, 0, 0, Number(isDown)]);
  message.writeUInt32BE(key, 8);
  return message;
}

function sizeIn(bytes: Buffer): Size {
  const [width, height] = [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw new Error(`a screen of ${width} by ${height}`);
  return { width, height };
}

function lengthIn(bytes: Buffer, at = 0): number {
  const length = bytes.readUInt32BE(at);
  if (length > MAX_WORDS) throw new Error(`the screen says something of ${length} bytes`);
  return length;
}

async function exactly(reader: ByteReader, count: number): Promise<Buffer> {
  const bytes = await reader.take(count);
  if (bytes.length < count) throw ended();
  return bytes;
}

const ended = () => new Error("the screen has ended");
