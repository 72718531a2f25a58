import { ByteWriter } from "../bytes/byte-writer.ts";
import { MessageReader, type MessageForm } from "../bytes/message-reader.ts";
import { utf8Within } from "../bytes/utf8.ts";
import { MAX_MESSAGE_BYTES } from "../control/constants.ts";
import { ScrcpyError } from "../errors.ts";

/** A message from the device to its client on the control socket. */
export type DeviceMessage =
  | { type: "clipboard"; text: string }
  /** Acknowledges the `setClipboard` message with this sequence. */
  | { type: "clipboardSet"; sequence: bigint }
  | { type: "uhidOutput"; id: number; data: Uint8Array };

const types = { clipboard: 0, clipboardSet: 1, uhidOutput: 2 } as const;

/** Encodes one message from the device. Text is cut at a character boundary, where a real device cuts it. */
export function encodeDeviceMessage(message: DeviceMessage): Uint8Array {
  switch (message.type) {
    case "clipboard": {
      const text = utf8Within(message.text, MAX_MESSAGE_BYTES - 5);
      return new ByteWriter(5 + text.length).u8(types.clipboard).u32(text.length).raw(text).bytes;
    }
    case "clipboardSet":
      return new ByteWriter(9).u8(types.clipboardSet).i64(message.sequence).bytes;
    default: {
      const { id, data } = message;
      if (data.length > 0xffff)
        throw new ScrcpyError("INVALID_ARGUMENT", `${data.length} bytes where 65535 is the most`);
      return new ByteWriter(5 + data.length).u8(types.uhidOutput).u16(id).u16(data.length).raw(data).bytes;
    }
  }
}

const form: MessageForm<DeviceMessage> = {
  lengthOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    switch (bytes[0]) {
      case types.clipboard:
        return bytes.length < 5 ? undefined : 5 + view.getUint32(1);
      case types.clipboardSet:
        return 9;
      case types.uhidOutput:
        return bytes.length < 5 ? undefined : 5 + view.getUint16(3);
      default:
        throw new ScrcpyError("PROTOCOL", `unknown device message ${bytes[0]}`);
    }
  },

  read(cursor): DeviceMessage {
    switch (cursor.u8()) {
      case types.clipboard:
        return { type: "clipboard", text: cursor.text(cursor.u32()) };
      case types.clipboardSet:
        return { type: "clipboardSet", sequence: cursor.i64() };
      default:
        return { type: "uhidOutput", id: cursor.u16(), data: cursor.raw(cursor.u16()) };
    }
  },
};

/**
 * Parses what a device sends on its control socket. The device is not trusted: a length beyond what a real one sends is
 * refused before any of its bytes are awaited (scrcpy's own client once overflowed here, CVE-2025-34449).
 */
export class DeviceMessageReader extends MessageReader<DeviceMessage> {
  constructor() {
    super(form, MAX_MESSAGE_BYTES);
  }
}
