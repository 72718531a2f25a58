import { integerWithin, isObject, member, numberWithin, textWithin, type Json } from "../json.ts";
import { MAX_COORDINATE_PX, MAX_POINTS } from "../limits.ts";

/** Pixels of the decoded video; a pointer outside the picture is negative or beyond its size. */
export interface Point {
  x: number;
  y: number;
}

/** A quarter turn of the device. */
export interface RotateCommand {
  type: "rotate";
}

/** Input, and requests about the stream. */
export type InputCommand =
  | ({ type: "mouse"; action: "press" | "move" | "release" } & Point)
  /** CSS pixels; positive is down. */
  | ({ type: "wheel"; delta: number } & Point)
  /** Starts or ends a two-finger gesture made with one mouse; `mouse` moves continue it. */
  | ({ type: "pinch"; action: "press" | "release"; mode: "zoom" | "tilt" } & Point)
  /** Every finger that is down after this event. */
  | { type: "touch"; action: "down" | "move" | "up"; points: Point[] }
  /** `text` is the character of a printable key. `toolbar` distinguishes the player's buttons from keys with the same code. */
  | { type: "key"; action: "press" | "release"; qtKey: number; text: string; toolbar: boolean }
  | RotateCommand
  /** 0 asks for the default. */
  | { type: "bitrate"; videoKbps: number; audioBps: number }
  /** The shorter side; 0 asks for the default. */
  | { type: "size"; shortSidePx: number };

/** What the player sends as the character of its own buttons. */
const TOOLBAR_CHARACTER = "0\n";

const touchActions = ["down", "up", "move"] as const;

/** Parses `{"type":...}`; undefined when no player sends such an event. */
export function parseInput(object: Json): InputCommand | undefined {
  switch (member(object, "type")) {
    case "MOUSE_PRESS":
      return atPoint(object, { type: "mouse", action: "press" });
    case "MOUSE_MOVE":
      return atPoint(object, { type: "mouse", action: "move" });
    case "MOUSE_RELEASE":
      return atPoint(object, { type: "mouse", action: "release" });
    case "WHEEL": {
      // A right click sends a wheel with `delta: null`.
      const delta = numberWithin(member(object, "delta"), -1e6, 1e6);
      return delta === undefined ? undefined : atPoint(object, { type: "wheel", delta });
    }
    case "FAKE_MULTI_TOUCH_PRESS":
      return atPoint(object, { type: "pinch", action: "press", mode: pinchMode(object) });
    case "FAKE_MULTI_TOUCH_RELEASE":
      return atPoint(object, { type: "pinch", action: "release", mode: pinchMode(object) });
    case "MULTI_TOUCH":
      return parseTouch(object);
    case "KEYBOARD_PRESS":
      return parseKey(object, "press");
    case "KEYBOARD_RELEASE":
      return parseKey(object, "release");
    case "ROTATE":
      return { type: "rotate" };
    case "BITRATE": {
      const videoKbps = integerWithin(member(object, "videoBitrate"), 0, 1_000_000);
      const audioBps = integerWithin(member(object, "audioBitrate"), 0, 10_000_000);
      return videoKbps === undefined || audioBps === undefined ? undefined : { type: "bitrate", videoKbps, audioBps };
    }
    case "SIZE": {
      const shortSidePx = integerWithin(member(object, "width"), 0, 8192);
      return shortSidePx === undefined ? undefined : { type: "size", shortSidePx };
    }
    default:
      return undefined;
  }
}

function atPoint<Command extends object>(object: Json, command: Command): (Command & Point) | undefined {
  const point = parsePoint(object);
  return point && Object.assign(command, point);
}

function parsePoint(value: unknown): Point | undefined {
  if (!isObject(value)) return undefined;
  const x = numberWithin(member(value, "x"), -MAX_COORDINATE_PX, MAX_COORDINATE_PX);
  const y = numberWithin(member(value, "y"), -MAX_COORDINATE_PX, MAX_COORDINATE_PX);
  return x === undefined || y === undefined ? undefined : { x: Math.round(x), y: Math.round(y) };
}

/** A release outside the picture has no mode. */
function pinchMode(object: Json): "zoom" | "tilt" {
  return member(object, "mode") === 2 ? "tilt" : "zoom";
}

function parseTouch(object: Json): InputCommand | undefined {
  const action = touchActions[integerWithin(member(object, "mode"), 0, 2) ?? -1];
  const listed = member(object, "points");
  if (!action || !Array.isArray(listed) || listed.length > MAX_POINTS) return undefined;
  const points: Point[] = [];
  for (const value of listed) {
    const point = parsePoint(value);
    if (!point) return undefined;
    points.push(point);
  }
  return { type: "touch", action, points };
}

function parseKey(object: Json, action: "press" | "release"): InputCommand | undefined {
  const qtKey = integerWithin(member(object, "keycode"), 0, 0x7fffffff);
  const character = textWithin(member(object, "keychar"), 8);
  if (qtKey === undefined || character === undefined) return undefined;
  const toolbar = character === TOOLBAR_CHARACTER;
  return { type: "key", action, qtKey, text: toolbar ? "" : printable(character), toolbar };
}

/** Drops control characters: those are keys. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "");
}
