import type { ControlMessage } from "@terrarium/scrcpy";
import { describe, expect, it } from "vitest";
import { type PointerCommand, PointerInput } from "./pointer-input.ts";

function create(viewer = 0) {
  const size = { width: 100, height: 200 };
  const touches: string[] = [];
  const sent: ControlMessage[] = [];
  const input = new PointerInput({
    viewer,
    size: () => size,
    send: (message) => {
      sent.push(message);
      if (message.type !== "touch") return;
      const { x, y } = message.position;
      touches.push(`${message.action} ${message.pointerId} ${x},${y}`);
    },
  });
  const touch = (action: "down" | "move" | "up", ...points: [number, number][]) =>
    input.handle({ type: "touch", action, points: points.map(([x, y]) => ({ x, y })) });
  const mouse = (action: "press" | "move" | "release", x: number, y: number) =>
    input.handle({ type: "mouse", action, x, y });
  return { input, size, touches, sent, touch, mouse };
}

describe("PointerInput", () => {
  it("makes a finger of the mouse", () => {
    const { touches, sent, mouse } = create();
    mouse("press", 10, 20);
    mouse("move", 11, 21);
    mouse("release", 12, 22);
    expect(touches).toEqual(["down 10 10,20", "move 10 11,21", "up 10 12,22"]);
    expect(sent[0]).toEqual({
      type: "touch",
      action: "down",
      pointerId: 10n,
      position: { x: 10, y: 20, width: 100, height: 200 },
      pressure: 1,
      actionButton: 0,
      buttons: 0,
    });
    expect(sent[2]?.type === "touch" && sent[2].pressure).toBe(0);
  });

  it("ignores a mouse that moves without being pressed, and a release of nothing", () => {
    const { touches, mouse } = create();
    mouse("move", 1, 1);
    mouse("release", 1, 1);
    expect(touches).toEqual([]);
  });

  it("clamps a pointer beside the picture", () => {
    const { touches, mouse } = create();
    mouse("press", -5, 900);
    mouse("release", 900, -5);
    expect(touches).toEqual(["down 10 0,199", "up 10 99,0"]);
  });

  it("sends the size of the video as it is now", () => {
    const { sent, size, mouse } = create();
    mouse("press", 1, 1);
    Object.assign(size, { width: 200, height: 100 });
    mouse("release", 150, 150);
    expect(sent[1]?.type === "touch" && sent[1].position).toEqual({ x: 150, y: 99, width: 200, height: 100 });
  });

  it("gives each finger its own number, and moves those that moved", () => {
    const { touches, touch } = create();
    touch("down", [1, 1]);
    touch("down", [1, 1], [50, 50]);
    touch("move", [2, 2], [50, 50]);
    touch("up", [50, 50]);
    touch("up");
    expect(touches).toEqual(["down 0 1,1", "down 1 50,50", "move 0 2,2", "up 0 2,2", "up 1 50,50"]);
  });

  it("knows which finger was lifted when the others move at once", () => {
    const { touches, touch } = create();
    touch("down", [10, 10], [50, 50], [90, 90]);
    touches.length = 0;
    touch("up", [11, 11], [89, 89]);
    expect(touches).toEqual(["up 1 50,50", "move 0 11,11", "move 2 89,89"]);
    touch("down", [11, 11], [89, 89], [60, 60]);
    expect(touches.slice(3)).toEqual(["down 1 60,60"]);
  });

  it("takes a second finger that comes with a move, as from mapped keys", () => {
    const { touches, touch } = create();
    touch("down", [1, 1]);
    touch("move", [1, 1], [9, 9]);
    expect(touches).toEqual(["down 0 1,1", "down 1 9,9"]);
  });

  it("zooms with two fingers that mirror each other", () => {
    const { touches, input, mouse } = create();
    input.handle({ type: "pinch", action: "press", mode: "zoom", x: 40, y: 90 });
    mouse("move", 30, 80);
    input.handle({ type: "pinch", action: "release", mode: "zoom", x: 30, y: 80 });
    mouse("move", 1, 1);
    expect(touches).toEqual([
      "down 10 40,90",
      "down 11 60,110",
      "move 10 30,80",
      "move 11 70,120",
      "up 10 30,80",
      "up 11 70,120",
    ]);
  });

  it("tilts with two fingers side by side", () => {
    const { touches, input, mouse } = create();
    input.handle({ type: "pinch", action: "press", mode: "tilt", x: 40, y: 90 });
    mouse("move", 40, 70);
    mouse("release", 40, 70);
    expect(touches).toEqual([
      "down 10 40,90",
      "down 11 60,90",
      "move 10 40,70",
      "move 11 60,70",
      "up 10 40,70",
      "up 11 60,70",
    ]);
  });

  it("turns the wheel's pixels into notches, down into what is below", () => {
    const { sent, input } = create();
    input.handle({ type: "wheel", x: 10, y: 999, delta: 240 } satisfies PointerCommand);
    expect(sent).toEqual([
      { type: "scroll", position: { x: 10, y: 199, width: 100, height: 200 }, horizontal: 0, vertical: -2, buttons: 0 },
    ]);
  });

  it("keeps viewers' fingers apart", () => {
    const { touches, touch } = create(3);
    touch("down", [1, 1]);
    expect(touches).toEqual(["down 48 1,1"]);
  });

  it("lifts all fingers of a viewer that is gone", () => {
    const { touches, input, mouse, touch } = create();
    touch("down", [1, 1], [2, 2]);
    mouse("press", 3, 3);
    touches.length = 0;
    input.release();
    input.release();
    expect(touches).toEqual(["up 0 1,1", "up 1 2,2", "up 10 3,3"]);
  });
});
