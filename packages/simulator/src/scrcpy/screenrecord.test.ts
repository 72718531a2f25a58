import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import { AV_CODEC_ID_H264, FFmpegError, FormatContext, Packet } from "node-av";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

let clock: TestClock;
let test: TestDevice;
beforeEach(async () => {
  clock = new TestClock();
  test = await testDevice({ clock });
});
afterEach(() => {
  test.stop();
  if (test.faults.length > 0) throw new AggregateError(test.faults, "the device's side threw");
});

const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** What a demuxer finds in a file of the device. */
async function probe(path: string) {
  const folder = mkdtempSync(join(tmpdir(), "mp4-"));
  const copy = join(folder, "video.mp4");
  writeFileSync(copy, test.device.files.read(path));
  const format = new FormatContext();
  try {
    FFmpegError.throwIfError(await format.openInput(copy, null, null), "open");
    FFmpegError.throwIfError(await format.findStreamInfo(null), "probe");
    const { codecpar } = format.streams[0]!;
    let pictures = 0;
    const packet = new Packet();
    packet.alloc();
    while ((await format.readFrame(packet)) >= 0) {
      pictures++;
      packet.unref();
    }
    packet.free();
    const { codecId, width, height } = codecpar;
    return { codecId, width, height, pictures, ms: Math.round(Number(format.duration) / 1000) };
  } finally {
    await format.closeInput();
    rmSync(folder, { recursive: true });
  }
}

describe("screenrecord", () => {
  it("makes an MP4 of the given time, with a picture for each change", async () => {
    const recording = test.adb.shell("screenrecord --time-limit 2 /sdcard/video.mp4");
    await turns();
    await clock.advance(1000);
    test.screen.touch("down", 0, 1, 1);
    await turns();
    await clock.advance(1000);
    expect(await recording).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    const video = await probe("/sdcard/video.mp4");
    expect(video).toMatchObject({ codecId: AV_CODEC_ID_H264, width: 360, height: 640 });
    expect(Math.abs(video.ms - 2000)).toBeLessThan(50);
    expect(video.pictures).toBeGreaterThanOrEqual(2);
  });

  it.each(["/sdcard/video.h264", "- > /sdcard/video.h264"])("writes H.264 alone to %s", async (output) => {
    const recording = test.adb.shell(`screenrecord --output-format=h264 --time-limit 2 ${output}`);
    await turns();
    await clock.advance(2000);
    expect(await recording).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    const video = Buffer.from(test.device.files.read("/sdcard/video.h264"));
    // Parameters, then a picture: Annex B.
    expect(video.subarray(0, 5).toString("hex")).toBe("0000000167");
    expect(video.indexOf(Buffer.from([0, 0, 1, 0x65]))).toBeGreaterThan(0);
  });

  it("keeps what was recorded until the host ends it", async () => {
    const stop = new AbortController();
    const recording = test.adb.shell("screenrecord /sdcard/video.mp4", { signal: stop.signal });
    await turns();
    await clock.advance(700);
    stop.abort(new Error("enough"));
    await expect(recording).rejects.toThrow("enough");
    await turns();
    expect(Math.abs((await probe("/sdcard/video.mp4")).ms - 700)).toBeLessThan(50);
    expect(clock.sleeping).toBe(0);
  });

  it("ends when the display turns, for a track has one size", async () => {
    const recording = test.adb.shell("screenrecord --size 180x320 /sdcard/video.mp4");
    await turns();
    await clock.advance(500);
    test.device.state.set({ rotation: 1 });
    await turns();
    expect(await recording).toMatchObject({ exitCode: 0 });
    expect(await probe("/sdcard/video.mp4")).toMatchObject({ width: 184, height: 320 });
  });

  it.each([
    ["", "Must specify output file (see --help)."],
    ["-", "only --output-format=h264 can go to the output"],
    ["--output-format=webm /sdcard/v", "--output-format webm is not supported by a simulated device"],
    ["--time-limit 181 /sdcard/v", "Time limit 181s outside acceptable range [1,180]"],
    ["--time-limit 0 /sdcard/v", "Time limit 0s outside acceptable range [1,180]"],
    ["--bit-rate 1 /sdcard/v", "Bit rate 1bps outside acceptable range [100000,200000000]"],
    ["--size huge /sdcard/v", "Invalid size 'huge', must be width x height"],
    ["--bugreport /sdcard/v", "--bugreport is not supported by a simulated device"],
  ])("refuses %s", async (words, message) =>
    expect(await test.adb.shell(`screenrecord ${words}`)).toEqual({
      stdout: "",
      stderr: `screenrecord: ${message}\n`,
      exitCode: 2,
    }),
  );

  it("says at once that the file cannot be written", async () =>
    expect(await test.adb.shell("screenrecord /system/v")).toMatchObject({
      stderr: "screenrecord: Read-only file system\n",
      exitCode: 1,
    }));
});
