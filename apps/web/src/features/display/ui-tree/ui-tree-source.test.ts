import { TestClock } from "@terrarium/clock";
import type { DisplayStatus } from "@terrarium/sdk/display";
import { describe, expect, it } from "vitest";
import { Listeners } from "../../../components/listeners.ts";
import { ToolFailure, type ToolSocket, type ToolState } from "../tools/tool-socket.ts";
import type { UiTree } from "./ui-node.ts";
import { UiTreeSource } from "./ui-tree-source.ts";

const node = (text: string, id?: string) => ({ class: "a.B", bounds: [0, 0, 9, 16] as const, text, ...(id && { id }) });
const aTree = (more: Partial<UiTree> = {}, child = node("x", "p:id/x")): UiTree => ({
  width: 9,
  height: 16,
  isCut: false,
  root: { ...node(""), children: [child] },
  ...more,
});

/** A screen that is read when the test says so. */
function held() {
  const clock = new TestClock();
  const listeners = new Listeners();
  const asked: { answer(tree?: UiTree): Promise<void>; fail(): Promise<void> }[] = [];
  let state: ToolState = { phase: "connecting" };
  const settle = () => clock.advance(0);
  const socket = {
    get state() {
      return state;
    },
    subscribe: listeners.subscribe,
    start: () => change({ phase: "open" }),
    stop: () => change({ phase: "connecting" }),
    ask: () =>
      new Promise((resolve, reject) =>
        asked.push({
          answer: (tree = aTree()) => (resolve({ tree }), settle()),
          fail: () => (reject(new ToolFailure("refused", "not idle")), settle()),
        }),
      ),
  } as unknown as ToolSocket;
  const change = (to: ToolState) => {
    state = to;
    listeners.notify();
  };
  const seen = new Listeners();
  const session = {
    status: { phase: "live", picture: { width: 90, height: 160 } } as DisplayStatus,
    subscribe: seen.subscribe,
    video: undefined,
  };
  const turn = () => {
    session.status = { phase: "live", picture: { width: 160, height: 90 } };
    seen.notify();
  };
  const source = new UiTreeSource({ socket, session, clock });
  return { clock, source, asked, change, turn };
}

const tap = { type: "MOUSE_RELEASE", x: 1, y: 1 };

describe("what reads a screen", () => {
  it("reads it once for all who want it, and not for nobody", async () => {
    const { source, asked, clock } = held();
    source.hear(tap);
    await clock.advance(60_000);
    expect([asked.length, clock.sleeping]).toEqual([0, 0]);
    const [leave, leaveToo] = [source.hold(), source.hold()];
    await clock.advance(60_000);
    expect([asked.length, source.status.isBusy]).toEqual([1, true]);
    await asked[0]?.answer();
    expect(source.status).toMatchObject({ isBusy: false, readAt: 120_000, tree: aTree() });
    // At rest nothing is asked.
    await clock.advance(600_000);
    expect([asked.length, clock.sleeping]).toEqual([1, 0]);
    leave();
    source.hear(tap);
    await clock.advance(400);
    expect(asked.length).toBe(2);
    source.hear(tap);
    leaveToo();
    await clock.advance(60_000);
    expect([asked.length, clock.sleeping, source.status.tree]).toEqual([2, 0, undefined]);
  });

  it("reads it again when what is done to it is over, and what never is after three seconds", async () => {
    const { source, asked, clock } = held();
    source.hold();
    await asked[0]?.answer();
    source.hear({ type: "MOUSE_MOVE", x: 1, y: 1 });
    source.hear({ type: "ROOM", what: "point" });
    await clock.advance(1_000);
    expect(asked.length).toBe(1);
    for (let times = 0; times < 3; times++) {
      source.hear(tap);
      await clock.advance(300);
    }
    expect(asked.length).toBe(1);
    await clock.advance(100);
    expect(asked.length).toBe(2);
    await asked[1]?.answer();
    for (let times = 0; times < 10; times++) {
      source.hear({ type: "KEYBOARD_PRESS" });
      await clock.advance(300);
    }
    expect(asked.length).toBe(3);
  });

  it("reads it one at a time, and once more for what came meanwhile", async () => {
    const { source, asked } = held();
    source.hold();
    void source.refresh();
    void source.refresh();
    expect(asked.length).toBe(1);
    await asked[0]?.answer();
    expect([asked.length, source.status.isBusy]).toEqual([2, true]);
    await asked[1]?.answer();
    expect([asked.length, source.status.isBusy]).toEqual([2, false]);
  });

  it("reads it again when the picture is turned, and when its connection is back", async () => {
    const { source, asked, clock, change, turn } = held();
    source.hold();
    await asked[0]?.answer();
    turn();
    await clock.advance(400);
    expect(asked.length).toBe(2);
    await asked[1]?.answer(aTree({ width: 16, height: 9 }));
    change({ phase: "lost" });
    change({ phase: "open" });
    expect(asked.length).toBe(3);
  });

  it("keeps what it knows when the device does not say it, with the reason", async () => {
    const { source, asked } = held();
    source.hold();
    await asked[0]?.answer();
    void source.refresh();
    await asked[1]?.fail();
    expect(source.status).toMatchObject({
      isBusy: false,
      tree: aTree(),
      failure: { code: "refused", words: "not idle" },
    });
    void source.refresh();
    await asked[2]?.answer();
    expect(source.status.failure).toBeUndefined();
  });

  it("keeps what is chosen while that is there", async () => {
    const { source, asked } = held();
    source.hold();
    await asked[0]?.answer();
    source.pick(true);
    source.choose("0.0");
    expect(source.status).toMatchObject({ chosen: "0.0", isPicking: false });
    void source.refresh();
    await asked[1]?.answer(aTree({}, node("another text", "p:id/x")));
    expect(source.status.chosen).toBe("0.0");
    void source.refresh();
    await asked[2]?.answer(aTree({}, node("x", "p:id/y")));
    expect(source.status.chosen).toBeUndefined();
  });
});
