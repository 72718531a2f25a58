import type { DisplayStatus, PictureSize } from "@terrarium/sdk/display";
import { describe, expect, it } from "vitest";
import { mapped, Mirror } from "./mirror.ts";

/** A device that hears of its own what is sent to it, as pages do. */
function device(mirror: Mirror, picture?: PictureSize) {
  const sent: object[] = [];
  const member = {
    status: { phase: "live", picture } as DisplayStatus,
    send: (message: object) => {
      sent.push(message);
      mirror.hear(member, message);
    },
  };
  return { member, sent, leave: mirror.join(member) };
}

function three() {
  const mirror = new Mirror();
  mirror.turn(true);
  const one = device(mirror, { width: 100, height: 200 });
  const two = device(mirror, { width: 300, height: 400 });
  const turned = device(mirror, { width: 200, height: 100 });
  return { mirror, one, two, turned };
}

describe("what is done on one device", () => {
  it("is done once on each other, at the same part of its picture", () => {
    const { one, two, turned } = three();
    one.member.send({ type: "MOUSE_PRESS", x: 50, y: 50 });
    expect([one.sent.length, two.sent, turned.sent]).toEqual([
      1,
      [{ type: "MOUSE_PRESS", x: 150, y: 100 }],
      [{ type: "MOUSE_PRESS", x: 100, y: 25 }],
    ]);
  });

  it("stays there while it is off, and where there is no picture yet", () => {
    const { mirror, one, two } = three();
    const late = device(mirror);
    one.member.send({ type: "ROTATE" });
    mirror.turn(false);
    one.member.send({ type: "ROTATE" });
    expect([two.sent, late.sent]).toEqual([[{ type: "ROTATE" }], []]);
  });

  it("is let go of when it is turned off, or when that device is taken away, and once", () => {
    const { mirror, one, two } = three();
    one.member.send({ type: "MOUSE_PRESS", x: 10, y: 20 });
    one.member.send({ type: "KEYBOARD_PRESS", keychar: "", keycode: 7 });
    one.member.send({ type: "KEYBOARD_PRESS", keychar: "", keycode: 8 });
    one.member.send({ type: "KEYBOARD_RELEASE", keychar: "", keycode: 8 });
    two.sent.length = 0;
    mirror.turn(false);
    mirror.turn(true);
    expect(two.sent).toEqual([
      { type: "MOUSE_RELEASE", x: 30, y: 40 },
      { type: "KEYBOARD_RELEASE", keychar: "", keycode: 7 },
    ]);
    one.member.send({ type: "MULTI_TOUCH", nb: 1, mode: 0, points: [{ x: 1, y: 1 }] });
    one.member.send({ type: "FAKE_MULTI_TOUCH_PRESS", mode: 1, x: 1, y: 1 });
    two.sent.length = 0;
    one.leave();
    one.member.send({ type: "ROTATE" });
    mirror.turn(false);
    expect(two.sent).toEqual([
      { type: "MULTI_TOUCH", nb: 0, mode: 1, points: [] },
      { type: "FAKE_MULTI_TOUCH_RELEASE", mode: 1, x: 3, y: 2 },
    ]);
  });
});

it("keys are as they are, fingers are mapped each, and what belongs to one device stays there", () => {
  const to = (message: object) => mapped(message, { width: 10, height: 10 }, { width: 20, height: 40 });
  const key = { type: "KEYBOARD_PRESS", keychar: "a", keycode: 97 };
  expect(to(key)).toEqual(key);
  expect(
    to({
      type: "MULTI_TOUCH",
      nb: 2,
      mode: 2,
      points: [
        { x: 1, y: 1 },
        { x: 5, y: 5 },
      ],
    }),
  ).toEqual({
    type: "MULTI_TOUCH",
    nb: 2,
    mode: 2,
    points: [
      { x: 2, y: 4 },
      { x: 10, y: 20 },
    ],
  });
  expect(to({ type: "WHEEL", x: 1, y: 1, delta: 120 })).toEqual({ type: "WHEEL", x: 2, y: 4, delta: 120 });
  for (const own of [
    { channel: "battery", messages: ["set state level 7"] },
    { type: "BITRATE", videoBitrate: 1 },
    { type: "ROOM", what: "point", x: 1, y: 1 },
  ])
    expect(to(own)).toBeUndefined();
});
