import { describe, expect, it } from "vitest";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";

const picture = (number: number) => Buffer.from([0, 0, 0, 1, 0x67, 7, 0, 0, 0, 1, 0x65, number]);
const press = { type: "MOUSE_PRESS", x: 100, y: 200 };
const release = { type: "MOUSE_RELEASE", x: 100, y: 200 };
/** Of the fingers that touch, a visitor's; the device's own play has another. */
const VISITOR = 10n;

/** A device that strangers may see with the ticket `showcase`, and touch. */
function shown({ replace = async (): Promise<void> => undefined, onlineAt = 0 } = {}) {
  const replaced: string[] = [];
  const test = create({
    showcase: {
      authorize: async (ticket) =>
        ticket === "showcase"
          ? { instanceUuid: DEVICE, user: "s", role: "participant", onlineAt }
          : ticket === "old"
            ? "expired"
            : "wrong",
      replace: async (uuid) => {
        replaced.push(uuid);
        await replace();
      },
    },
  });
  test.add();
  let number = 0;
  return {
    ...test,
    replaced,
    visit: (ticket = "showcase") => test.arrive(ticket, undefined, "showcase"),
    show: () => test.showcases[0]?.frame(true, BigInt(++number), picture(number)),
    touches: () =>
      (test.showcases[0]?.sent("touch") ?? [])
        .filter(({ pointerId }) => pointerId === VISITOR)
        .map((each) => each.action),
  };
}
const seen = (socket: { pictures: Uint8Array[] }) => socket.pictures.map((bytes) => bytes.at(-1));

describe("a stranger at the device that is shown to everybody", () => {
  it("sees it move, up to 15 pictures a second, as they ask for them", async () => {
    const { clock, visit, show } = shown();
    const socket = await visit();
    for (let ms = 0; ms < 1_000; ms += 10) {
      show();
      socket.say("next");
      await clock.advance(10);
    }
    expect(socket.pictures.length).toBeGreaterThan(10);
    expect(socket.pictures.length).toBeLessThanOrEqual(16);
  });

  it("touches it where they touch the picture", async () => {
    const { visit, touches, showcases, display } = shown();
    const socket = await visit();
    socket.say(press);
    socket.say({ type: "MOUSE_MOVE", x: 150, y: 250 });
    socket.say({ type: "MOUSE_RELEASE", x: 150, y: 250 });
    expect(touches()).toEqual(["down", "move", "up"]);
    const { width, height } = display.size;
    expect(showcases[0]?.sent("touch").find((each) => each.pointerId === VISITOR)?.position).toEqual({
      x: 100,
      y: 200,
      width,
      height,
    });
    // The display that the owner's viewers would have is not opened.
    expect(display.controls).toEqual([]);
  });

  for (const message of [
    { type: "KEYBOARD_PRESS", key: 65, keychar: "a" },
    { type: "WHEEL", delta: 10, x: 1, y: 1 },
    { type: "MULTI_TOUCH", mode: 0, nb: 1, points: [{ x: 1, y: 1 }] },
    { type: "FAKE_MULTI_TOUCH_PRESS", mode: 1, x: 1, y: 1 },
    { type: "ROTATE" },
    { channel: "framework", messages: ["notify all"] },
    { channel: "clipboard", messages: ["set_clipboard_text hello"] },
    { channel: "battery", messages: ["set state level 10"] },
    { sdp: "offer", type: "offer" },
    { candidate: "candidate:1 1 udp 1 192.0.2.1 5000 typ host", sdpMid: "0" },
  ])
    it(`can say nothing else: ${JSON.stringify(message)}`, async () => {
      const { visit, showcases, display, shell, peers, replaced } = shown();
      const socket = await visit();
      const told = () => [showcases[0]?.controls.length, display.controls.length, shell.commands.length, peers.length];
      const before = told();
      for (let count = 0; count < 100; count++) socket.say(message);
      expect(told()).toEqual(before);
      expect(socket.closed).toBeUndefined();
      socket.say(message);
      await settled();
      expect(socket.closed).toBeDefined();
      expect(replaced).toEqual([]);
    });

  for (const [ticket, code] of [
    ["owner", 4242],
    ["none", 4242],
    ["old", 4243],
  ] as const)
    it(`is refused with the token "${ticket}"`, async () => {
      const { visit, showcases } = shown();
      expect([(await visit(ticket)).closed?.code, showcases.length]).toEqual([code, 0]);
    });

  it.each(["player", "miniature"] as const)("opens with its ticket no %s", async (errand) => {
    const { arrive, miniatures, peers } = shown();
    expect((await arrive("showcase", undefined, errand)).closed?.code).toBe(4242);
    expect([miniatures, peers]).toEqual([[], []]);
  });

  it("is refused where nothing is shown", async () => {
    const { add, arrive } = create();
    add();
    expect((await arrive("owner", undefined, "showcase")).closed?.code).toBe(4242);
  });

  it("comes back later if as many are there as there may be", async () => {
    const { visit } = shown();
    const sockets = [];
    for (let number = 0; number < 33; number++) sockets.push(await visit());
    expect(sockets.map(({ closed }) => closed?.code)).toEqual([...Array<undefined>(32).fill(undefined), 1013]);
  });

  it("has five minutes", async () => {
    const { clock, visit } = shown();
    const socket = await visit();
    for (let seconds = 0; seconds < 5 * 60; seconds += 10) {
      expect(socket.closed).toBeUndefined();
      socket.pong();
      await clock.advance(10_000);
    }
    expect(socket.closed?.code).toBe(4243);
  });

  it("does not end with anybody's session, and uses nobody's device", async () => {
    const { server, visit, used } = shown();
    const socket = await visit();
    socket.say(press);
    server.cutOff(({ credential }) => credential === "c1");
    await settled();
    expect([socket.closed, used, server.stats().devices[DEVICE]?.viewers]).toEqual([undefined, [], 0]);
  });
});

describe("the first to touch it", () => {
  it("has it alone: others neither see nor touch it, also when they come later", async () => {
    const { clock, visit, show, touches } = shown();
    const [one, other] = [await visit(), await visit()];
    for (const socket of [one, other]) socket.say("next");
    show();
    expect([seen(one), seen(other)]).toEqual([[1], [1]]);
    one.say(press);
    other.say(press);
    const late = await visit();
    await clock.advance(1_000);
    for (const socket of [one, other, late]) socket.say("next");
    show();
    expect([seen(one), seen(other), seen(late)]).toEqual([[1, 2], [1], []]);
    expect(touches()).toEqual(["down"]);
  });

  it("does not have it by moving over it", async () => {
    const { visit, touches } = shown();
    const [one, other] = [await visit(), await visit()];
    one.say({ type: "MOUSE_MOVE", x: 1, y: 1 });
    other.say(press);
    expect(touches()).toEqual(["down"]);
  });

  it("has it replaced by leaving, and what they held is released", async () => {
    const { clock, visit, touches, replaced } = shown();
    const socket = await visit();
    socket.say(press);
    await clock.advance(1_000);
    socket.leave();
    await settled();
    expect([touches(), replaced]).toEqual([["down", "up"], [DEVICE]]);
  });

  it("has it replaced by not touching it for 25 seconds", async () => {
    const { clock, visit, replaced, show } = shown();
    const socket = await visit();
    socket.say(press);
    socket.say(release);
    await clock.advance(20_000);
    socket.say(press);
    socket.say(release);
    await clock.advance(24_999);
    expect(replaced).toEqual([]);
    await clock.advance(1);
    expect(replaced).toEqual([DEVICE]);
    // From here on they are one of many, who may not see what was left.
    socket.say("next");
    show();
    socket.say(press);
    expect(seen(socket)).toEqual([]);
  });

  it("has it for two minutes at most", async () => {
    const { clock, visit, replaced } = shown();
    const socket = await visit();
    for (let seconds = 0; seconds < 120; seconds += 10) {
      socket.say(press);
      socket.say(release);
      expect(replaced).toEqual([]);
      await clock.advance(10_000);
    }
    expect(replaced).toEqual([DEVICE]);
  });

  it("leaves nothing to others when the display breaks, or replacing fails at first", async () => {
    const { server, visit, replaced } = shown();
    (await visit()).say(press);
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(replaced).toEqual([DEVICE]);

    let fails = true;
    const failing = shown({
      replace: async () => {
        if (fails) throw new Error("the database is away");
      },
    });
    const socket = await failing.visit();
    socket.say(press);
    await failing.clock.advance(25_000);
    fails = false;
    await failing.clock.advance(3_000);
    expect(failing.replaced).toEqual([DEVICE, DEVICE]);
  });
});

describe("a device that has come from another gateway", () => {
  it("is shown to nobody and replaced, as somebody may have touched it there", async () => {
    const { clock, visit, replaced, showcases } = shown({ onlineAt: -1 });
    const [one, other] = [await visit(), await visit()];
    expect([one.closed?.code, other.closed?.code]).toEqual([4244, 4244]);
    expect([replaced, showcases]).toEqual([[DEVICE], []]);
    await clock.advance(3_000);
    expect(replaced).toEqual([DEVICE, DEVICE]);
  });

  it("is one whose link was made again, too: it has a new display here", async () => {
    const { clock, add, server, visit, replaced } = shown();
    await clock.advance(1);
    server.removeDevice(DEVICE, "lost");
    add();
    await visit();
    expect(replaced).toEqual([DEVICE]);
  });
});

describe("a device that nobody touches", () => {
  const own = (showcases: ReturnType<typeof shown>["showcases"]) =>
    showcases[0]?.controls.filter((each) => each.type !== "touch" || each.pointerId !== VISITOR) ?? [];

  it("plays by itself while somebody looks, from its first screen on, and over again", async () => {
    const { clock, visit, showcases } = shown();
    const socket = await visit();
    for (let seconds = 0; seconds < 60; seconds++) {
      socket.pong();
      await clock.advance(1_000);
    }
    const homes = own(showcases).filter((each) => each.type === "key" && each.action === "up");
    expect(homes.length).toBeGreaterThan(5);
    expect(own(showcases)[0]).toMatchObject({ type: "key", action: "down" });
    const fingers = own(showcases).flatMap((each) =>
      each.type === "touch" && each.action !== "move" ? each.action : [],
    );
    expect(fingers.filter((action) => action === "down").length).toBeGreaterThan(10);
    // One finger at a time, each lifted.
    expect(fingers.filter((_, at) => at % 2 === 0).every((action) => action === "down")).toBe(true);
    socket.leave();
    await settled();
    const before = own(showcases).length;
    await clock.advance(3_000);
    expect(own(showcases).filter((each, at) => at >= before && each.type !== "touch")).toEqual([]);
  });

  it("stops playing when somebody touches it", async () => {
    const { clock, visit, showcases } = shown();
    const socket = await visit();
    await clock.advance(2_200);
    socket.say(press);
    await settled();
    const before = own(showcases).length;
    for (let seconds = 0; seconds < 20; seconds++) await clock.advance(1_000);
    expect(own(showcases).length).toBe(before);
    expect(own(showcases).findLast((each) => each.type === "touch")).toMatchObject({ action: "up" });
  });

  it("is not opened while nobody looks", async () => {
    const { clock, showcases } = shown();
    await clock.advance(60_000);
    expect(showcases).toEqual([]);
  });
});
