import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { SocketVideo } from "./socket-video.ts";

function create() {
  const clock = new TestClock(0);
  const sent: Buffer[] = [];
  const state = { caughtUp: 0 };
  const video = new SocketVideo({
    clock,
    socket: { sendBytes: (bytes) => void sent.push(Buffer.from(bytes)) },
    onCaughtUp: () => state.caughtUp++,
  });
  /** Offers a picture as a feed does; whether it was taken. */
  const offer = (bytes = 4, keyFrame = false) =>
    video.isOpen() && video.send({ keyFrame, ptsUs: 5n, data: Buffer.alloc(bytes, 7) });
  const numbers = () => sent.map((message) => message.readUInt32BE(4));
  return { clock, sent, state, video, offer, numbers };
}

describe("SocketVideo", () => {
  it("numbers the pictures", () => {
    const { sent, offer } = create();
    offer(2, true);
    offer(2);
    expect(sent.map((message) => message.toString("hex"))).toEqual(
      ["01000000 00000000 0000000000000005 0707", "00000000 00000001 0000000000000005 0707"].map((text) =>
        text.replaceAll(" ", ""),
      ),
    );
  });

  it("sends nothing while too much is unseen, until all of it has been", () => {
    const { state, video, offer, numbers } = create();
    for (let count = 0; count < 6; count++) offer(100 * 1024);
    expect(numbers()).toEqual([0, 1, 2, 3, 4]);
    video.seen(3);
    expect([offer(), state.caughtUp]).toEqual([false, 0]);
    video.seen(4);
    expect([offer(), state.caughtUp]).toEqual([true, 1]);
    expect(numbers()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("sends nothing while something is unseen for a second, whatever its size", async () => {
    const { clock, state, video, offer } = create();
    offer();
    await clock.advance(999);
    expect(offer()).toBe(true);
    await clock.advance(1);
    expect(offer()).toBe(false);
    video.seen(0);
    expect(offer()).toBe(false);
    video.seen(1);
    expect([offer(), state.caughtUp]).toEqual([true, 1]);
  });

  it("lets a picture of any size pass alone", () => {
    const { video, offer } = create();
    expect(offer(900 * 1024, true)).toBe(true);
    expect(offer()).toBe(false);
    video.seen(0);
    expect(offer()).toBe(true);
  });

  it("is not behind when all that was sent is seen in time", () => {
    const { state, video, offer } = create();
    for (let number = 0; number < 100; number++) {
      expect(offer(50 * 1024)).toBe(true);
      if (number > 5) video.seen(number - 5);
    }
    expect(state.caughtUp).toBe(0);
  });

  it.each([-3_600_000, 3_600_000])("takes no notice when the system's clock is set by %i ms", (ms) => {
    const { clock, offer } = create();
    offer();
    clock.step(ms);
    expect(offer()).toBe(true);
  });
});
