import { REPLAY_MS } from "@terrarium/contract";
import { expect, it } from "vitest";
import { MAX_VIDEO_BYTES, RecordedVideo, VideoRoom } from "./recorded-video.ts";

const size = { width: 720, height: 1280 };
const picture = (at: number, keyFrame: boolean, bytes = 100) => ({
  at,
  size,
  unit: { keyFrame, ptsUs: 0n, data: Buffer.alloc(bytes) },
});
const timesOf = (video: RecordedVideo, start: number) => video.since(start).map(({ at }) => at);

it("begins with the key frame of what was shown, however old it is", () => {
  const video = new RecordedVideo();
  video.add(picture(-5, false));
  for (const at of [0, 40, 80]) video.add(picture(at, at === 0));
  expect(timesOf(video, 10 * REPLAY_MS)).toEqual([0, 40, 80]);
  video.add(picture(1_000, true));
  expect(timesOf(video, 999)).toEqual([0, 40, 80, 1_000]);
  expect(timesOf(video, 1_000)).toEqual([1_000]);
});

it("forgets by itself what was over 90 s ago", () => {
  const video = new RecordedVideo();
  for (let at = 0; at <= 2 * REPLAY_MS; at += 1_000) video.add(picture(at, at % 10_000 === 0));
  expect(timesOf(video, 0)[0]).toBe(REPLAY_MS);
  expect(video.bytes).toBe(91 * (100 + 256));
});

it("never takes more than it may, and never begins without a key frame", () => {
  const video = new RecordedVideo();
  const third = MAX_VIDEO_BYTES / 3 - 1_000;
  for (const at of [0, 1, 2, 3, 4]) {
    video.add(picture(at, true, third));
    video.add(picture(at, false, 10));
    expect(video.bytes).toBeLessThanOrEqual(MAX_VIDEO_BYTES);
  }
  expect(timesOf(video, 0)).toEqual([2, 2, 3, 3, 4, 4]);
  // One group alone: a device that sends no key frames when it is asked to.
  for (const at of [5, 6]) video.add(picture(at, false, third));
  expect(timesOf(video, 0)).toEqual([4, 4, 5, 6]);
  video.add(picture(7, false, third));
  video.add(picture(8, false, 10));
  expect([timesOf(video, 0), video.bytes]).toEqual([[], 0]);
  video.add(picture(9, true));
  expect(timesOf(video, 0)).toEqual([9]);
});

it("counts what pictures cost beside their bytes", () => {
  const video = new RecordedVideo();
  video.add(picture(0, true, 0));
  for (let at = 0; at < 100_001; at++) video.add(picture(1, false, 0));
  expect(video.since(0)).toEqual([]);
});

it("wants a key frame when there is none, and ten seconds or 6 MB after the last one", () => {
  const video = new RecordedVideo();
  expect(video.wantsKeyFrame(0)).toBe(true);
  video.add(picture(0, true));
  expect([video.wantsKeyFrame(9_999), video.wantsKeyFrame(10_000)]).toEqual([false, true]);
  video.add(picture(1, false, MAX_VIDEO_BYTES / 4));
  expect(video.wantsKeyFrame(2)).toBe(true);
});

it("shares its room with others, of which the largest forgets first", () => {
  const room = new VideoRoom(10_000);
  const [small, large] = [new RecordedVideo(room), new RecordedVideo(room)];
  small.add(picture(0, true, 1_744));
  for (const at of [0, 1, 2]) large.add(picture(at, true, 1_744));
  expect(room.bytes).toBe(8_000);
  for (const at of [1, 2]) small.add(picture(at, false, 744));
  expect(room.bytes).toBe(10_000);
  small.add(picture(3, false, 0));
  expect([timesOf(small, 0), timesOf(large, 0), room.bytes]).toEqual([[0, 1, 2, 3], [1, 2], 8_256]);
  small.clear();
  large.clear();
  expect(room.bytes).toBe(0);
});
