import type { ByteCursor } from "../bytes/byte-cursor.ts";
import { MessageReader, type MessageForm } from "../bytes/message-reader.ts";
import { ScrcpyError } from "../errors.ts";
import { controlTypes, copyKeys, keyActions, MAX_MESSAGE_BYTES, touchActions } from "./constants.ts";
import type { ControlMessage, Position } from "./control-message.ts";
import { fromScrollFixed, fromUnsignedFixed } from "./fixed-point.ts";

type ControlType = keyof typeof controlTypes;

const typeNames = new Map(Object.entries(controlTypes).map(([name, type]) => [type as number, name as ControlType]));

/** The length of each message: a constant, or computed from its first bytes. */
const lengths: Record<ControlType, number | ((view: DataView) => number | undefined)> = {
  key: 14,
  text: (view) => withTail(view, 1, 4),
  touch: 32,
  scroll: 21,
  backOrScreenOn: 2,
  expandNotifications: 1,
  expandSettings: 1,
  collapsePanels: 1,
  getClipboard: 2,
  setClipboard: (view) => withTail(view, 10, 4),
  setDisplayPower: 2,
  rotate: 1,
  uhidCreate: (view) => {
    const name = withTail(view, 7, 1);
    return name === undefined ? undefined : withTail(view, name, 2);
  },
  uhidInput: (view) => withTail(view, 3, 2),
  uhidDestroy: 3,
  openKeyboardSettings: 1,
  startApp: (view) => withTail(view, 1, 1),
  resetVideo: 1,
  cameraTorch: 2,
  cameraZoomIn: 1,
  cameraZoomOut: 1,
  resizeDisplay: 5,
  scanFile: (view) => withTail(view, 1, 4),
};

/** The end of a field whose length is in the `bytes` bytes at `at`; undefined until those have arrived. */
function withTail(view: DataView, at: number, bytes: 1 | 2 | 4): number | undefined {
  if (view.byteLength < at + bytes) return undefined;
  const length = bytes === 1 ? view.getUint8(at) : bytes === 2 ? view.getUint16(at) : view.getUint32(at);
  return at + bytes + length;
}

const form: MessageForm<ControlMessage> = {
  lengthOf(bytes) {
    const name = typeNames.get(bytes[0] ?? -1);
    if (!name) throw new ScrcpyError("PROTOCOL", `unknown control message ${bytes[0]}`);
    const length = lengths[name];
    return typeof length === "number"
      ? length
      : length(new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_MESSAGE_BYTES)));
  },

  read(cursor): ControlMessage {
    const type = typeNames.get(cursor.u8()) ?? "rotate";
    switch (type) {
      case "key":
        return {
          type,
          action: named(keyActions, cursor.u8()),
          keyCode: cursor.i32(),
          repeat: cursor.i32(),
          metaState: cursor.i32(),
        };
      case "text":
        return { type, text: cursor.text(cursor.u32()) };
      case "touch":
        return {
          type,
          action: named(touchActions, cursor.u8()),
          pointerId: cursor.i64(),
          position: position(cursor),
          pressure: fromUnsignedFixed(cursor.u16()),
          actionButton: cursor.i32(),
          buttons: cursor.i32(),
        };
      case "scroll":
        return {
          type,
          position: position(cursor),
          horizontal: fromScrollFixed(cursor.i16()),
          vertical: fromScrollFixed(cursor.i16()),
          buttons: cursor.i32(),
        };
      case "backOrScreenOn":
        return { type, action: named(keyActions, cursor.u8()) };
      case "getClipboard":
        return { type, copyKey: named(copyKeys, cursor.u8()) };
      case "setClipboard":
        return { type, sequence: cursor.i64(), paste: cursor.flag(), text: cursor.text(cursor.u32()) };
      case "setDisplayPower":
      case "cameraTorch":
        return { type, on: cursor.flag() };
      case "uhidCreate":
        return {
          type,
          id: cursor.u16(),
          vendorId: cursor.u16(),
          productId: cursor.u16(),
          name: cursor.text(cursor.u8()),
          reportDescriptor: cursor.raw(cursor.u16()),
        };
      case "uhidInput":
        return { type, id: cursor.u16(), data: cursor.raw(cursor.u16()) };
      case "uhidDestroy":
        return { type, id: cursor.u16() };
      case "startApp":
        return { type, name: cursor.text(cursor.u8()) };
      case "resizeDisplay":
        return { type, width: cursor.u16(), height: cursor.u16() };
      case "scanFile":
        return { type, path: cursor.text(cursor.u32()) };
      default:
        return { type };
    }
  },
};

/** Parses the bytes of a control socket: the device's end. The client is not trusted. */
export class ControlReader extends MessageReader<ControlMessage> {
  constructor() {
    super(form, MAX_MESSAGE_BYTES);
  }
}

function position(cursor: ByteCursor): Position {
  return { x: cursor.i32(), y: cursor.i32(), width: cursor.u16(), height: cursor.u16() };
}

/** The key of a value in a small table. */
function named<Names extends Record<string, number>>(names: Names, value: number): keyof Names {
  for (const name of Object.keys(names)) if (names[name] === value) return name;
  throw new ScrcpyError("PROTOCOL", `${value} is none of ${Object.keys(names).join(", ")}`);
}
