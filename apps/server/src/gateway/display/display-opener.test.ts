import type { ScreenPipe } from "@terrarium/runtime";
import { ControlReader, dummyByte, encodeCodec, encodeDeviceName, encodeVideo } from "@terrarium/scrcpy";
import { TestClock } from "@terrarium/clock";
import pino from "pino";
import { expect, it } from "vitest";
import { FakeLink, FakeStream } from "../testing/fake-link.ts";
import { displayOpener } from "./display-opener.ts";

const none = new AbortController().signal;
const opening = [
  dummyByte,
  encodeDeviceName(""),
  encodeCodec("h264"),
  encodeVideo({ type: "session", width: 720, height: 1280, clientResized: false }),
];

/** A device whose machine shows itself, and that has these commands. */
function create(commands: Record<string, number>, has: { screen?: boolean } = {}) {
  const opened: string[] = [];
  const asked: string[] = [];
  const written: Uint8Array[] = [];
  const fake = new FakeLink();
  const link = Object.assign(fake, {
    push: async () => undefined,
    gone: none,
    shell: async (command: string | readonly string[]) => {
      asked.push(String(command));
      const [, exitCode = 0] = Object.entries(commands).find(([name]) => String(command).includes(name)) ?? [];
      return { stdout: "", stderr: "", exitCode };
    },
  });
  const openScreen = (): ScreenPipe => {
    opened.push("by its machine");
    const chunks = [Buffer.concat(opening)];
    const over = Promise.withResolvers<void>();
    return {
      read: async () => chunks.shift() ?? (await over.promise, undefined),
      write: (bytes) => void written.push(bytes),
      close: over.resolve,
      closed: over.promise,
    };
  };
  const machine = { capabilities: new Set<"scrcpy">(["scrcpy"]), ...(has.screen === false ? {} : { openScreen }) };
  const deps = { clock: new TestClock(), log: pino({ level: "silent" }), scrcpyServer: undefined };
  const open = displayOpener(machine, link, deps);
  return { open, fake, opened, asked, written };
}

it("a device that runs no scrcpy shows what its machine has, and takes what is done to it", async () => {
  const { open, opened, asked, written } = create({ app_process: 127 });
  const display = await open(none);
  expect(display.size).toEqual({ width: 720, height: 1280 });
  expect([await display.hasSound, display.isFixed]).toEqual([false, true]);
  display.sendControl({ type: "key", action: "down", keyCode: 4, repeat: 0, metaState: 0 });
  expect([...new ControlReader().push(written[0]!)]).toMatchObject([{ type: "key", keyCode: 4 }]);
  await display.close();
  expect(display.gone.aborted).toBe(true);
  // It is not asked again.
  await (await open(none)).close();
  expect([opened.length, asked.length]).toEqual([2, 1]);
});

it("a device whose scrcpy ends, as it has no encoder, shows what its machine has", async () => {
  const { open, fake, opened } = create({});
  const display = open(none);
  await expect.poll(() => fake.commands.length).toBe(1);
  fake.exit(1);
  await (await display).close();
  expect(opened).toHaveLength(1);
});

it("a device that shows itself by scrcpy does so each time, and one whose machine shows nothing says why it cannot", async () => {
  const { open, fake, opened } = create({});
  const scrcpy = async () => {
    const video = new FakeStream();
    fake.streams.push(video, new FakeStream());
    video.push(...opening);
    return (await open(none)).close();
  };
  await scrcpy();
  await scrcpy();
  expect(opened).toEqual([]);
  const bare = create({}, { screen: false });
  const display = bare.open(none);
  await expect.poll(() => bare.fake.commands.length).toBe(1);
  bare.fake.exit(1);
  await expect(display).rejects.toThrow("the scrcpy server ended");
});
