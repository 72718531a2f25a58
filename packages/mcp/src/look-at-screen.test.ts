import type { AdbLink } from "@terrarium/adb";
import { PNG } from "pngjs";
import { expect, it } from "vitest";
import { lookAtScreen } from "./look-at-screen.ts";

const { signal } = new AbortController();

/** A device whose picture is these bytes, and which says these words of what is on its screen. */
const aDevice = (picture: Iterable<Uint8Array>, words = "") =>
  ({
    spawn: async () => ({ stdout: picture, stderr: ["no frame"], exit: Promise.resolve(0) }),
    shell: async () => ({ exitCode: 0, stdout: words, stderr: "" }),
  }) as unknown as AdbLink;

it("shows the picture also where Android does not tell what is on it", async () => {
  const png = PNG.sync.write(new PNG({ width: 3, height: 2 }));
  const found = await lookAtScreen(aDevice([png], "ERROR: could not get idle state."), signal);
  expect(found).toMatchObject({ width: 3, height: 2, elements: [], problem: "ERROR: could not get idle state." });
});

it("gives up on a picture without an end", async () => {
  const chunk = new Uint8Array(1024 * 1024);
  const given = { count: 0 };
  function* endless() {
    for (; given.count < 100; given.count++) yield chunk;
  }
  await expect(lookAtScreen(aDevice(endless()), signal)).rejects.toThrow("The device's picture has no end.");
  expect(given.count).toBe(32);
});
