import { expect, it, onTestFinished, vi } from "vitest";
import { aKeyFrame } from "./testing/key-frame.ts";
import { SocketVideo } from "./socket-video.ts";

/** A decoder that has as many pictures waiting as a test says. */
class BusyDecoder {
  static waiting = 0;
  static dequeued: (() => void) | undefined;
  state = "unconfigured";
  get decodeQueueSize(): number {
    return BusyDecoder.waiting;
  }
  set ondequeue(handle: () => void) {
    BusyDecoder.dequeued = handle;
  }
  configure(): void {
    this.state = "configured";
  }
  decode(): void {}
  close(): void {}
}

it("tells the gateway what it has seen only while the decoder keeps up", () => {
  const { VideoDecoder: real } = globalThis;
  vi.stubGlobal("VideoDecoder", BusyDecoder);
  onTestFinished(() => void vi.stubGlobal("VideoDecoder", real));
  const said: object[] = [];
  const video = new SocketVideo(
    (message) => said.push(message),
    () => undefined,
  );
  onTestFinished(() => video.close());
  const take = (number: number) => {
    const message = new Uint8Array([1, 0, 0, 0, 0, 0, 0, number, ...Array(8).fill(0), ...aKeyFrame("red")]);
    video.take(message.buffer);
  };
  take(0);
  BusyDecoder.waiting = 3;
  take(1);
  take(2);
  expect(said).toEqual([{ type: "VIDEO" }, { type: "VIDEO", seen: 0 }]);
  BusyDecoder.waiting = 2;
  BusyDecoder.dequeued?.();
  expect(said.slice(2)).toEqual([{ type: "VIDEO", seen: 2 }]);
});

it("takes silence for a loss, and pictures for no silence", () => {
  const lost = vi.fn<() => void>();
  const video = new SocketVideo(() => undefined, lost);
  onTestFinished(() => video.close());
  const ask = (times: number) => {
    for (let time = 0; time < times; time++) video.stats();
  };
  ask(8);
  const delta = new Uint8Array(20);
  video.take(delta.buffer);
  ask(8);
  expect(lost).not.toHaveBeenCalled();
  ask(1);
  expect(lost).toHaveBeenCalledOnce();
});
