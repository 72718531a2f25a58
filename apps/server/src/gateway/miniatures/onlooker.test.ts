import { describe, expect, it } from "vitest";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";

const picture = (number: number) => Buffer.from([0, 0, 0, 1, 0x67, 7, 0, 0, 0, 1, 0x65, number]);

async function looking() {
  const test = create();
  test.add();
  const socket = await test.look();
  const [display] = test.miniatures;
  if (!display) throw new Error("the miniature was not opened");
  let number = 0;
  const show = () => display.frame(true, BigInt(++number), picture(number));
  const seen = () => socket.pictures.map((bytes) => bytes.at(-1));
  return { ...test, socket, show, seen };
}

describe("somebody who looks at a miniature", () => {
  it("gets a picture for each time they ask, the latest", async () => {
    const { clock, socket, show, seen } = await looking();
    show();
    expect(seen()).toEqual([]);
    socket.say("next");
    expect(seen()).toEqual([1]);
    await clock.advance(5_000);
    show();
    show();
    expect(seen()).toEqual([1]);
    socket.say("next");
    expect(seen()).toEqual([1, 3]);
    expect(socket.pictures[1]).toEqual(picture(3));
  });

  it("gets the next one when there is one", async () => {
    const { clock, socket, show, seen } = await looking();
    show();
    socket.say("next");
    await clock.advance(5_000);
    socket.say("next");
    expect(seen()).toEqual([1]);
    show();
    expect(seen()).toEqual([1, 2]);
  });

  it("gets at most one a second, however often they ask and the device changes", async () => {
    const { clock, socket, show, seen } = await looking();
    for (let ms = 0; ms < 3_000; ms += 100) {
      show();
      socket.say("next");
      await clock.advance(100);
    }
    expect(seen()).toEqual([1, 10, 20, 30]);
  });

  it("neither uses the device nor takes a viewer's seat", async () => {
    const { clock, server, socket, show, used } = await looking();
    show();
    socket.say("next");
    await clock.advance(10_000);
    expect([used, server.stats().devices[DEVICE]?.viewers]).toEqual([[], 0]);
  });

  for (const [token, code] of [
    ["none", 4242],
    ["other", 4242],
    ["old", 4243],
    ["late", 4244],
  ] as const)
    it(`is refused with the token "${token}"`, async () => {
      const { add, look, miniatures } = create();
      add();
      const socket = await look(token);
      expect([socket.closed?.code, miniatures.length]).toEqual([code, 0]);
    });

  it("is cut off with their session, and the miniature is closed", async () => {
    const { clock, server, socket, show, seen, miniatures } = await looking();
    expect(server.grants()).toHaveLength(1);
    server.cutOff(({ credential }) => credential === "c1");
    await settled();
    expect(socket.closed?.code).toBe(4243);
    show();
    socket.say("next");
    expect(seen()).toEqual([]);
    await clock.advance(5_000);
    expect(miniatures[0]?.gone.aborted).toBe(true);
  });

  it("is told when the device ends", async () => {
    const { server, socket, miniatures } = await looking();
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect([socket.closed?.code, miniatures[0]?.gone.aborted]).toEqual([4244, true]);
  });

  it("comes back later if as many are there as there may be", async () => {
    const { add, look } = create();
    add();
    const sockets = [];
    for (let number = 0; number < 33; number++) sockets.push(await look());
    expect(sockets.map(({ closed }) => closed?.code)).toEqual([...Array<undefined>(32).fill(undefined), 1013]);
  });

  it("is disconnected for saying something else again and again", async () => {
    const { socket } = await looking();
    for (let number = 0; number <= 100; number++) socket.say("more");
    await settled();
    expect(socket.closed).toBeDefined();
  });
});
