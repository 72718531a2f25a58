import { AppError } from "@terrarium/contract";
import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { receiveMiniature } from "./miniature-feed.ts";
import { FakeSocket } from "./testing/fake-socket.ts";

const token = (number: number) => JSON.stringify({ type: "token", token: `token ${number}` });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A feed whose pictures are numbers: the first byte of what came. */
async function open({ refuses = [] as Error[] } = {}) {
  const clock = new TestClock(0);
  const stop = new AbortController();
  const sockets: FakeSocket[] = [];
  const shown: number[] = [];
  const dropped: number[] = [];
  let tokens = 0;
  let decoding: Promise<void> = Promise.resolve();
  let isOver = false;
  const done = receiveMiniature(
    {
      clock,
      access: async () => {
        const refusal = refuses.shift();
        if (refusal) throw refusal;
        return { url: "wss://here.test/miniature", token: `token ${++tokens}` };
      },
      openSocket: (url) => {
        const socket = new FakeSocket(url);
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      decode: async ([number = 0]) => {
        await decoding;
        if (number === 0) throw new Error("not a picture");
        return { number, close: () => dropped.push(number) } as unknown as ImageBitmap;
      },
    },
    (picture) => shown.push((picture as unknown as { number: number }).number),
    stop.signal,
  ).then(() => (isOver = true));
  await turn();
  const show = async (number: number) => {
    sockets.at(-1)?.show(new Uint8Array([number]));
    await turn();
  };
  return {
    clock,
    stop,
    sockets,
    shown,
    dropped,
    done,
    show,
    isOver: () => isOver,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      decoding = promise;
      return resolve;
    },
  };
}

describe("the feed of a miniature", () => {
  it("shows its token and asks for each picture once the last has been shown", async () => {
    const { sockets, shown, show, hold } = await open();
    const [socket] = sockets;
    expect([socket?.url, socket?.binaryType, socket?.sent]).toEqual(["wss://here.test/miniature", "arraybuffer", []]);
    socket?.open();
    expect(socket?.sent).toEqual([token(1), "next"]);
    const decoded = hold();
    await show(7);
    expect([shown, socket?.sent.length]).toEqual([[], 2]);
    decoded();
    await turn();
    expect([shown, socket?.sent.slice(2)]).toEqual([[7], ["next"]]);
  });

  it("passes over what is no picture", async () => {
    const { sockets, shown, show } = await open();
    sockets[0]?.open();
    await show(0);
    await show(2);
    expect([shown, sockets[0]?.sent.length]).toEqual([[2], 4]);
  });

  it("connects again after three seconds with another token", async () => {
    const { clock, sockets } = await open();
    sockets[0]?.open();
    sockets[0]?.end(1012);
    await clock.advance(2_999);
    expect(sockets).toHaveLength(1);
    await clock.advance(1);
    sockets[1]?.open();
    expect(sockets[1]?.sent[0]).toBe(token(2));
  });

  it("comes back after twenty seconds when there was no room", async () => {
    const { clock, sockets } = await open();
    sockets[0]?.open();
    sockets[0]?.end(1013);
    await clock.advance(19_999);
    expect(sockets).toHaveLength(1);
    await clock.advance(1);
    expect(sockets).toHaveLength(2);
  });

  it("asks for a token again when the service was not there, and not when it refused", async () => {
    const { clock, sockets, done } = await open({
      refuses: [new AppError("SERVICE_UNAVAILABLE"), new AppError("INSTANCE_NOT_ALLOWED")],
    });
    await clock.advance(3_000);
    await done;
    expect([sockets.length, clock.sleeping]).toEqual([0, 0]);
  });

  it("does not come back to a device that is over", async () => {
    const refuses: Error[] = [];
    const { clock, sockets, done } = await open({ refuses });
    sockets[0]?.open();
    refuses.push(new AppError("INSTANCE_ENDED"));
    sockets[0]?.end(4244);
    await clock.advance(3_000);
    await done;
    expect([sockets.length, clock.sleeping]).toEqual([1, 0]);
  });

  it("comes back to a device that outlives the server's stop", async () => {
    const { clock, sockets } = await open();
    sockets[0]?.open();
    sockets[0]?.end(4244);
    await clock.advance(3_000);
    sockets[1]?.open();
    expect(sockets[1]?.sent).toEqual([token(2), "next"]);
  });

  it("closes when nobody looks, and shows nothing more", async () => {
    const { stop, sockets, shown, dropped, show, hold, done } = await open();
    const [socket] = sockets;
    socket?.open();
    const decoded = hold();
    await show(3);
    stop.abort();
    decoded();
    await done;
    await turn();
    expect([socket?.readyState, shown, dropped, socket?.sent.length]).toEqual([3, [], [3], 2]);
  });
});
