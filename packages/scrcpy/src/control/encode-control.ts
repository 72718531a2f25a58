import { ByteWriter } from "../bytes/byte-writer.ts";
import { utf8Within } from "../bytes/utf8.ts";
import { ScrcpyError } from "../errors.ts";
import {
  controlTypes,
  copyKeys,
  keyActions,
  MAX_APP_NAME_BYTES,
  MAX_CLIPBOARD_BYTES,
  MAX_PATH_BYTES,
  MAX_TEXT_BYTES,
  MAX_UHID_NAME_BYTES,
  touchActions,
} from "./constants.ts";
import type { ControlMessage, Position } from "./control-message.ts";
import { toScrollFixed, toUnsignedFixed } from "./fixed-point.ts";

/**
 * Encodes one message for the control socket. Text that is too long is cut at a character boundary, as scrcpy's own client
 * does; other data that is too long throws `ScrcpyError` `INVALID_ARGUMENT`.
 */
export function encodeControl(message: ControlMessage): Uint8Array {
  const type = controlTypes[message.type];
  switch (message.type) {
    case "key":
      return start(type, 14)
        .u8(keyActions[message.action])
        .i32(message.keyCode)
        .i32(message.repeat)
        .i32(message.metaState).bytes;
    case "text": {
      const text = utf8Within(message.text, MAX_TEXT_BYTES);
      return start(type, 5 + text.length)
        .u32(text.length)
        .raw(text).bytes;
    }
    case "touch":
      return position(start(type, 32).u8(touchActions[message.action]).i64(message.pointerId), message.position)
        .u16(toUnsignedFixed(message.pressure))
        .i32(message.actionButton)
        .i32(message.buttons).bytes;
    case "scroll":
      return position(start(type, 21), message.position)
        .i16(toScrollFixed(message.horizontal))
        .i16(toScrollFixed(message.vertical))
        .i32(message.buttons).bytes;
    case "backOrScreenOn":
      return start(type, 2).u8(keyActions[message.action]).bytes;
    case "getClipboard":
      return start(type, 2).u8(copyKeys[message.copyKey]).bytes;
    case "setClipboard": {
      const text = utf8Within(message.text, MAX_CLIPBOARD_BYTES);
      return start(type, 14 + text.length)
        .i64(message.sequence)
        .flag(message.paste)
        .u32(text.length)
        .raw(text).bytes;
    }
    case "setDisplayPower":
    case "cameraTorch":
      return start(type, 2).flag(message.on).bytes;
    case "uhidCreate": {
      const name = utf8Within(message.name, MAX_UHID_NAME_BYTES);
      const descriptor = shortData(message.reportDescriptor);
      return start(type, 10 + name.length + descriptor.length)
        .u16(message.id)
        .u16(message.vendorId)
        .u16(message.productId)
        .u8(name.length)
        .raw(name)
        .u16(descriptor.length)
        .raw(descriptor).bytes;
    }
    case "uhidInput": {
      const data = shortData(message.data);
      return start(type, 5 + data.length)
        .u16(message.id)
        .u16(data.length)
        .raw(data).bytes;
    }
    case "uhidDestroy":
      return start(type, 3).u16(message.id).bytes;
    case "startApp": {
      const name = utf8Within(message.name, MAX_APP_NAME_BYTES);
      return start(type, 2 + name.length)
        .u8(name.length)
        .raw(name).bytes;
    }
    case "resizeDisplay":
      return start(type, 5).u16(message.width).u16(message.height).bytes;
    case "scanFile": {
      const path = utf8Within(message.path, MAX_PATH_BYTES);
      return start(type, 5 + path.length)
        .u32(path.length)
        .raw(path).bytes;
    }
    default:
      return start(type, 1).bytes;
  }
}

function start(type: number, length: number): ByteWriter {
  return new ByteWriter(length).u8(type);
}

function position(writer: ByteWriter, { x, y, width, height }: Position): ByteWriter {
  return writer.i32(x).i32(y).u16(width).u16(height);
}

function shortData(data: Uint8Array): Uint8Array {
  if (data.length > 0xffff) throw new ScrcpyError("INVALID_ARGUMENT", `${data.length} bytes where 65535 is the most`);
  return data;
}
