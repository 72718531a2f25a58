import type { AdbLink } from "@terrarium/adb";
import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { untilBooted } from "./device-link.ts";

const up = "1\npackage:/system/framework/framework-res.apk\n  mCurrentFocus=Window{1 u0 com.terrarium.launcher}\n";

/** A device that answers `outputs` in turn; tells when it was asked. */
function device(clock: TestClock, outputs: string[]) {
  const askedMs: number[] = [];
  const began = clock.now();
  const link = {
    async shell() {
      askedMs.push(clock.now() - began);
      return { stdout: outputs.shift() ?? "", stderr: "", exitCode: 0 };
    },
  } as unknown as AdbLink;
  return { link, askedMs };
}

describe("untilBooted", () => {
  it("waits until package manager, input and launcher answer", async () => {
    const clock = new TestClock();
    const { link, askedMs } = device(clock, ["\n", "1\n", "1\npackage:/system/framework/framework-res.apk\n", up]);
    const booted = untilBooted(link, clock, new AbortController().signal);
    await clock.advance(1_000);
    await booted;
    expect(askedMs).toEqual([0, 10, 30, 70]);
  });

  it("asks a device that takes long about six times a second", async () => {
    const clock = new TestClock();
    const { link, askedMs } = device(clock, []);
    const ended = new AbortController();
    const booted = untilBooted(link, clock, ended.signal);
    booted.catch(() => undefined);
    await clock.advance(10_000);
    expect(askedMs.length).toBeLessThan(70);
    ended.abort(new Error("ended"));
    await expect(booted).rejects.toThrow("ended");
  });

  it("asks one that may be no Android for nothing more, if it is none", async () => {
    const clock = new TestClock();
    const signal = new AbortController().signal;
    const answers = (exitCode: number) => {
      const { link, askedMs } = device(clock, ["/system/bin/app_process\n", up]);
      const shell = async () => ({ ...(await link.shell("")), exitCode });
      return { link: { shell }, askedMs };
    };
    const [android, other] = [answers(0), answers(127)];
    await Promise.all([android, other].map(({ link }) => untilBooted(link, clock, signal, true)));
    expect([android.askedMs.length, other.askedMs.length]).toEqual([2, 1]);
  });
});
