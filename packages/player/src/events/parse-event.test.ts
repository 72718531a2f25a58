import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEvent, type PlayerCommand } from "./parse-event.ts";

const input: [object, PlayerCommand][] = [
  [
    { type: "ROOM", what: "join" },
    { type: "room", what: "join" },
  ],
  [
    { type: "ROOM", what: "point", x: 0.5, y: 1 },
    { type: "room", what: "point", at: { x: 0.5, y: 1 } },
  ],
  [
    { type: "ROOM", what: "point" },
    { type: "room", what: "point", at: undefined },
  ],
  [
    { type: "ROOM", what: "hand", up: true },
    { type: "room", what: "hand", isUp: true },
  ],
  [
    { type: "ROOM", what: "decline", user: "u1" },
    { type: "room", what: "decline", user: "u1" },
  ],
  [
    { type: "MOUSE_PRESS", x: 360, y: 640 },
    { type: "mouse", action: "press", x: 360, y: 640 },
  ],
  [
    { type: "MOUSE_MOVE", x: -5, y: 640.4 },
    { type: "mouse", action: "move", x: -5, y: 640 },
  ],
  [
    { type: "MOUSE_RELEASE", x: 0, y: 0 },
    { type: "mouse", action: "release", x: 0, y: 0 },
  ],
  [
    { type: "WHEEL", x: 1, y: 2, delta: -120 },
    { type: "wheel", delta: -120, x: 1, y: 2 },
  ],
  [
    { type: "FAKE_MULTI_TOUCH_PRESS", mode: 2, x: 1, y: 2 },
    { type: "pinch", action: "press", mode: "tilt", x: 1, y: 2 },
  ],
  [
    { type: "FAKE_MULTI_TOUCH_RELEASE", x: 1, y: 2 },
    { type: "pinch", action: "release", mode: "zoom", x: 1, y: 2 },
  ],
  [
    {
      type: "MULTI_TOUCH",
      nb: 2,
      mode: 2,
      points: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
    {
      type: "touch",
      action: "move",
      points: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
  ],
  [
    { type: "MULTI_TOUCH", nb: 0, mode: 1, points: [] },
    { type: "touch", action: "up", points: [] },
  ],
  [
    { type: "KEYBOARD_PRESS", keychar: "é", keycode: 233 },
    { type: "key", action: "press", qtKey: 233, text: "é", toolbar: false },
  ],
  [
    { type: "KEYBOARD_RELEASE", keychar: "", keycode: 0x01000003 },
    { type: "key", action: "release", qtKey: 0x01000003, text: "", toolbar: false },
  ],
  [
    { type: "KEYBOARD_PRESS", keychar: "0\n", keycode: 16777232 },
    { type: "key", action: "press", qtKey: 16777232, text: "", toolbar: true },
  ],
  [
    { type: "KEYBOARD_PRESS", keychar: "\r", keycode: 13 },
    { type: "key", action: "press", qtKey: 13, text: "", toolbar: false },
  ],
  [{ type: "ROTATE" }, { type: "rotate" }],
  [
    { type: "BITRATE", videoBitrate: 5000, audioBitrate: 192000 },
    { type: "bitrate", videoKbps: 5000, audioBps: 192000 },
  ],
  [
    { type: "SIZE", width: 480 },
    { type: "size", shortSidePx: 480 },
  ],
];

/** A channel's message, and what it asks. */
const channels: [string, string, object][] = [
  ["battery", "set state level 42", { type: "batteryLevel", percent: 42 }],
  ["battery", "set state status charging", { type: "batteryStatus", status: "charging" }],
  ["gps", "set latitude 65.96", { type: "gps", field: "latitude", value: 65.96 }],
  ["gps", "set longitude -18.53", { type: "gps", field: "longitude", value: -18.53 }],
  ["gps", "set speed 0", { type: "gps", field: "speed", value: 0 }],
  ["gps", "enable", { type: "gpsSwitch", on: true }],
  ["gps", "disable", { type: "gpsSwitch", on: false }],
  ["network_profile", "setprofile mobile 5g", { type: "mobileProfile", profile: "5g" }],
  ["network_profile", "setsignalstrength mobile poor", { type: "mobileSignal", strength: "poor" }],
  ["network_profile", "enable wifi all", { type: "wifiThrottling", on: true }],
  ["network_profile", "disable wifi all", { type: "wifiThrottling", on: false }],
  ["network_profile", "set wifi down_pkt_loss 0.01", { type: "wifiLimit", limit: "down_pkt_loss", value: 0.01 }],
  ["network_profile", "notify phone", { type: "notify", channel: "network_profile", what: "phone" }],
  ["settings", "enableif wifi", { type: "networkSwitch", network: "wifi", on: true }],
  ["settings", "disableif mobile", { type: "networkSwitch", network: "mobile", on: false }],
  ["settings", "set parameter device_id:12345678901234f", { type: "deviceId", id: "12345678901234f" }],
  ["framework", "set parameter android_id:0123456789abcdef", { type: "androidId", id: "0123456789abcdef" }],
  ["framework", "set_device_clipboard aMOp", { type: "clipboard", text: "hé" }],
  ["framework", "set_device_clipboard ", { type: "clipboard", text: "" }],
  ["baseband", "gsm call +4912345", { type: "call", number: "+4912345" }],
  ["baseband", "sms send 123 hello  there", { type: "sms", number: "123", text: "hello  there" }],
  ["baseband", "network operator 26201", { type: "operator", of: "network", code: "26201" }],
  ["baseband", "sim operator 310260", { type: "operator", of: "sim", code: "310260" }],
  ["baseband", "network operator_name A B", { type: "operatorName", of: "network", name: "A B" }],
  ["baseband", "sim operator_name A", { type: "operatorName", of: "sim", name: "A" }],
  ["baseband", "sim imsi_id 123456789", { type: "imsi", subscriber: "123456789" }],
  ["baseband", "sim phone_number 555", { type: "phoneNumber", number: "555" }],
  ["diskio", "set readbyterate 52428800", { type: "diskReadRate", bytesPerSecond: 52428800 }],
  ["diskio", "clearcache", { type: "clearDiskCache" }],
  ["fingerprint", "notify all", { type: "notify", channel: "fingerprint", what: "all" }],
  ["fingerprint", "scan too_fast", { type: "fingerprintScan", result: "too_fast" }],
  ["fingerprint", "set auto_recognize true", { type: "fingerprintAuto", on: true }],
  ["fingerprint", "set auto_recognize false", { type: "fingerprintAuto", on: false }],
  [
    "vinput",
    "gamepad_plugin 0 Some_Pad 1118 654",
    { type: "gamepadPlugIn", hostIndex: 0, name: "Some_Pad", vendorId: 1118, productId: 654 },
  ],
  ["vinput", "gamepad_press 1 3", { type: "gamepadButton", pad: 1, button: 3, pressed: true }],
  ["vinput", "gamepad_release 1 3", { type: "gamepadButton", pad: 1, button: 3, pressed: false }],
  ["vinput", "gamepad_axis 1 0 -0.5", { type: "gamepadAxis", pad: 1, axis: 0, value: -0.5 }],
  ["vinput", "gamepad_plugout 1", { type: "gamepadUnplug", pad: 1 }],
  ["systempatcher", "install opengapps", { type: "systemPatcher", command: "install opengapps" }],
  ["systempatcher", "notify last_result", { type: "notify", channel: "systempatcher", what: "last_result" }],
];

const hostileInput: string[] = [
  `{"type":"MOUSE_PRESS","x":null,"y":1}`,
  `{"type":"MOUSE_PRESS","x":1}`,
  `{"type":"MOUSE_PRESS","x":1000000000,"y":1}`,
  `{"type":"MOUSE_PRESS","x":1e999,"y":1}`,
  `{"type":"MOUSE_PRESS","x":"1","y":1}`,
  `{"type":"MOUSE_PRESS","x":NaN,"y":1}`,
  `{"type":"WHEEL","x":1,"y":1,"delta":null}`,
  `{"type":"WHEEL","x":1,"y":1,"delta":1e9}`,
  `{"type":"MULTI_TOUCH","mode":3,"points":[]}`,
  `{"type":"MULTI_TOUCH","mode":0,"points":{"length":1}}`,
  `{"type":"MULTI_TOUCH","mode":0,"points":[null]}`,
  `{"type":"MULTI_TOUCH","mode":0,"points":[{"x":1,"y":1e9}]}`,
  JSON.stringify({ type: "MULTI_TOUCH", mode: 0, points: Array.from({ length: 11 }, () => ({ x: 1, y: 1 })) }),
  `{"type":"KEYBOARD_PRESS","keychar":"a","keycode":-1}`,
  `{"type":"KEYBOARD_PRESS","keychar":"a","keycode":1.5}`,
  `{"type":"KEYBOARD_PRESS","keychar":"aaaaaaaaa","keycode":1}`,
  `{"type":"KEYBOARD_PRESS","keycode":1}`,
  `{"type":"BITRATE","videoBitrate":-1,"audioBitrate":0}`,
  `{"type":"SIZE","width":1e9}`,
  `{"type":"toString"}`,
  `{"type":"__proto__"}`,
  `{}`,
  `[]`,
  `"x"`,
  "",
];

const hostileMessages: [string, unknown[]][] = [
  ["battery", ["set state level 101"]],
  ["battery", ["set state level -1"]],
  ["battery", ["set state level 1e1"]],
  ["battery", ["set state level 5; reboot"]],
  ["battery", ["set state status $(id)"]],
  ["gps", ["set latitude 91"]],
  ["gps", ["set latitude NaN"]],
  ["gps", ["set latitude Infinity"]],
  ["gps", ["set toString 1"]],
  ["network_profile", ["setprofile mobile 6g"]],
  ["network_profile", ["set wifi up_rate 1e99"]],
  ["settings", ["enableif bluetooth"]],
  ["settings", ["set parameter device_id:12345678901234f\n"]],
  ["framework", ["set parameter android_id:0123"]],
  ["framework", ["set_device_clipboard not base64!"]],
  ["framework", ["set_device_clipboard /w=="]],
  ["baseband", ["gsm call $(reboot)"]],
  ["baseband", ["sms send 123 "]],
  ["baseband", ["sms send 123 a\0b"]],
  ["baseband", [`sms send 123 ${"x".repeat(3000)}`]],
  ["diskio", ["set readbyterate -1"]],
  ["fingerprint", ["scan anything"]],
  ["vinput", ["gamepad_plugout undefined"]],
  ["vinput", ["gamepad_axis 0 0 2"]],
  ["systempatcher", ["install anything"]],
  ["systempatcher", ["notify ../x"]],
  ["battery", [1, null, {}]],
  ["battery", []],
  ["battery", Array.from({ length: 33 }, () => "set state level 1")],
  ["toString", ["set state level 1"]],
  ["unknown", ["set state level 1"]],
];

describe("parseEvent", () => {
  for (const [message, command] of input)
    it(`reads ${JSON.stringify(message)}`, () => expect(parseEvent(JSON.stringify(message))).toEqual([command]));

  for (const [channel, message, command] of channels)
    it(`reads ${channel}: ${message}`, () =>
      expect(parseEvent(JSON.stringify({ channel, messages: [message] }))).toEqual([{ channel, ...command }]));

  it("keeps the order of a list, and of it what is understood", () =>
    expect(
      parseEvent(
        JSON.stringify({ channel: "battery", messages: ["set state level 7", "boom", "set state status discharging"] }),
      ),
    ).toEqual([
      { channel: "battery", type: "batteryLevel", percent: 7 },
      { channel: "battery", type: "batteryStatus", status: "discharging" },
    ]));

  for (const text of hostileInput) it(`drops ${text.slice(0, 80)}`, () => expect(parseEvent(text)).toBeUndefined());

  for (const [channel, messages] of hostileMessages)
    it(`drops ${channel}: ${JSON.stringify(messages).slice(0, 60)}`, () =>
      expect(parseEvent(JSON.stringify({ channel, messages }))).toBeUndefined());

  it("drops 1 MB and a clipboard of 10 MB", () => {
    expect(parseEvent(JSON.stringify({ type: "ROTATE", more: "x".repeat(1_000_000) }))).toBeUndefined();
    const messages = [`set_device_clipboard ${"A".repeat(10_000_000)}`];
    expect(parseEvent(JSON.stringify({ channel: "framework", messages }))).toBeUndefined();
  });

  it("drops JSON that is nested deep enough to hurt", () =>
    expect(parseEvent(`{"type":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBeUndefined());

  it("never throws", () => {
    const message = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom(...input.map(([{ ...message }]) => (message as { type: string }).type)),
          fc.string(),
        ),
        channel: fc.option(fc.constantFrom(...channels.map(([channel]) => channel)), { nil: undefined }),
        messages: fc.anything(),
        x: fc.anything(),
        y: fc.anything(),
        delta: fc.anything(),
        mode: fc.anything(),
        points: fc.anything(),
        keychar: fc.anything(),
        keycode: fc.anything(),
      },
      { requiredKeys: [] },
    );
    expect(() => fc.assert(fc.property(message, (message) => void parseEvent(asJson(message))))).not.toThrow();
    expect(() => fc.assert(fc.property(fc.string(), (text) => void parseEvent(text)))).not.toThrow();
  });
});

/** What JSON cannot say is left out. */
function asJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? Number(member) : member)) ?? "";
}
