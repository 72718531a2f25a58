import { AppError, type Capture, REPLAY_BOX, type ReplayStory } from "@terrarium/contract";
import { testDevice } from "@terrarium/simulator/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { create, DEVICE, frame } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";
import { twoColours } from "../testing/two-colours.ts";
import type { ToolLink } from "../tools/tool.ts";

const key = Buffer.concat([twoColours.config, twoColours.red]);
const word = (text: string) => Buffer.from(text);

/** A device whose log says what the test says. */
function loggingLink() {
  const logs: {
    signal: AbortSignal | undefined;
    say: (text: string) => Promise<void>;
    end: () => Promise<void>;
    read: number;
  }[] = [];
  const spawn: ToolLink["spawn"] = async (_, options) => {
    let turn = Promise.withResolvers<Uint8Array | undefined>();
    const log = {
      signal: options?.signal,
      read: 0,
      say: async (text: string) => {
        turn.resolve(word(text));
        await settled();
      },
      end: async () => {
        turn.resolve(undefined);
        await settled();
      },
    };
    logs.push(log);
    return {
      stdout: (async function* () {
        for (;;) {
          const bytes = await turn.promise;
          if (!bytes) return;
          turn = Promise.withResolvers();
          log.read++;
          yield bytes;
        }
      })(),
      stderr: (async function* (): AsyncGenerator<Uint8Array> {})(),
      write: async () => undefined,
      closeStdin: async () => undefined,
      resize: async () => undefined,
      exit: new Promise<number>(() => undefined),
      kill: () => undefined,
    };
  };
  return { logs, link: { spawn } as Partial<ToolLink> as ToolLink };
}

interface Answer {
  id?: number;
  size?: number;
  capture?: object;
  error?: object;
}

/** A device that somebody watches, and how its owner asks what has just happened. */
async function watched(deps: Parameters<typeof create>[0] = {}) {
  const test = create(deps);
  const { logs, link } = loggingLink();
  test.add(undefined, link);
  const viewer = await test.watch();
  await test.clock.advance(1_000);
  const show = (keyFrame = true) => test.display.frame(keyFrame, 0n, keyFrame ? key : frame);
  const open = async () => {
    const socket = await test.come("tools", { token: "owner", tool: "replay" });
    await settled();
    let id = 0;
    const ask = async (what: string) => {
      const mine = ++id;
      socket.say({ id: mine, do: what });
      return vi.waitFor(() => {
        const answer = (socket.sent as Answer[]).find((each) => each.id === mine);
        if (!answer) throw new Error("not yet");
        return answer;
      });
    };
    return { socket, ask, first: socket.sent[0] };
  };
  const replay = async () => {
    const { socket, ask } = await open();
    const { size } = await ask("read");
    const file = Buffer.concat(socket.pictures);
    socket.leave();
    await settled();
    expect(size).toBe(file.length);
    const at = file.indexOf(`uuid${REPLAY_BOX}`) - 4;
    // It is the last box, as the page expects.
    expect(at + file.readUInt32BE(at)).toBe(file.length);
    const story = JSON.parse(file.subarray(at + 24).toString()) as ReplayStory;
    return { story, video: file.subarray(0, at) };
  };
  return { ...test, ...viewer, logs, show, open, replay };
}

const press = (keycode: number, keychar: string) => [
  { type: "KEYBOARD_PRESS", keychar, keycode },
  { type: "KEYBOARD_RELEASE", keychar, keycode },
];

describe("what has just happened", () => {
  it("is a video and what was done meanwhile, by one clock", async () => {
    const { clock, show, event, display, logs, replay } = await watched();
    show();
    await clock.advance(500);
    event({ type: "MOUSE_PRESS", x: 10, y: 20 });
    await clock.advance(100);
    event({ type: "MOUSE_RELEASE", x: 10, y: 20 });
    display.size = { width: 1280, height: 720 };
    show();
    await logs[0]?.say("--------- beginning of main\n");
    await logs[0]?.say(
      "11-23 12:00:00.000  1  1 I ActivityTaskManager: Displayed com.example/.Main for user 0: +1ms\n",
    );
    // A slider sends many.
    for (const level of [41, 42]) event({ channel: "battery", messages: [`set state level ${level}`] });
    await clock.advance(400);
    const { story, video } = await replay();
    const place = { x: 10, y: 20, width: 720, height: 1280 };
    expect(story).toEqual({
      version: 1,
      began_at: "1970-01-01T00:00:01.000Z",
      duration_ms: 1_000,
      events: [
        { at: 500, type: "touch", action: "down", finger: 10, ...place },
        { at: 600, type: "touch", action: "up", finger: 10, ...place },
        { at: 600, type: "turn", width: 1280, height: 720 },
        { at: 600, type: "app", name: "com.example" },
        { at: 600, type: "gadget", name: "battery" },
        expect.objectContaining({ at: 600, type: "log" }),
      ],
    });
    expect(video.toString("latin1", 4, 8)).toBe("ftyp");
    expect(video.includes("moov")).toBe(true);
    // Each of the two pictures is there as it came, but for the lengths before its units.
    expect(video.toString("latin1").split(Buffer.from(twoColours.red.subarray(4)).toString("latin1")).length).toBe(3);
  });

  it("says that something was typed, and never what or how much", async () => {
    const { clock, show, event, replay } = await watched();
    show();
    for (const letter of "hunter2") {
      for (const message of press(letter.codePointAt(0)!, letter)) event(message);
      await clock.advance(100);
    }
    for (const message of press(0x01000005, "")) event(message);
    await clock.advance(5_000);
    for (const message of [...press(0x61, "a"), ...press(0x01000061, "0\n")]) event(message);
    const { story } = await replay();
    expect(story.events).toEqual([
      { at: 0, type: "typing", until: 700 },
      { at: 5_700, type: "typing", until: 5_700 },
      { at: 5_700, type: "button", name: "back" },
    ]);
  });

  it("goes back 90 s, and shows from the beginning what was shown then", async () => {
    const { clock, show, event, replay, socket } = await watched();
    show();
    show(false);
    event({ type: "MOUSE_PRESS", x: 1, y: 1 });
    for (let beat = 0; beat < 7; beat++) {
      await clock.advance(15_000);
      socket.pong();
    }
    event({ type: "MOUSE_RELEASE", x: 1, y: 1 });
    const { story } = await replay();
    expect([story.duration_ms, story.events.map(({ at }) => at)]).toEqual([90_000, [90_000]]);
  });

  it("keeps every finger's way in steps that a picture can show", async () => {
    const { clock, show, event, replay } = await watched();
    show();
    event({ type: "MOUSE_PRESS", x: 0, y: 0 });
    for (let x = 1; x <= 100; x++) {
      await clock.advance(1);
      event({ type: "MOUSE_DRAG", x, y: 0 });
      event({ type: "MOUSE_MOVE", x, y: 0 });
    }
    event({ type: "MOUSE_RELEASE", x: 100, y: 0 });
    const { story } = await replay();
    expect(story.events.map((each) => each.type === "touch" && each.action)).toEqual([
      "down",
      ...Array.from({ length: 6 }, () => "move"),
      "up",
    ]);
  });

  it("has a bound for events and another for lines", async () => {
    const { show, event, logs, clock, replay } = await watched();
    show();
    for (let round = 0; round < 200; round++) {
      await clock.advance(40);
      for (let turn = 0; turn < 30; turn++) {
        event({ type: "MOUSE_PRESS", x: 1, y: 1 });
        event({ type: "MOUSE_RELEASE", x: 1, y: 1 });
      }
    }
    const line = "11-23 12:00:00.000  1  1 I Fern: x\n";
    await logs[0]?.say(`--------- beginning of main\n${line.repeat(4_500)}${line.slice(0, -1)}${"x".repeat(5_000)}\n`);
    const { story } = await replay();
    const lines = story.events.filter(({ type }) => type === "log");
    expect([lines.length, lines.at(-1)]).toEqual([
      4_000,
      { at: 8_000, type: "log", text: expect.stringMatching(/^.{500}$/) as string },
    ]);
    expect(story.events.length - lines.length).toBeLessThanOrEqual(10_000);
  });

  it("holds back a log that is a flood", async () => {
    const { show, logs, clock } = await watched();
    show();
    await logs[0]?.say(`${"x".repeat(300 * 1024)}\n`);
    await logs[0]?.say("more\n");
    expect(logs[0]?.read).toBe(1);
    await clock.advance(1_000);
    expect(logs[0]?.read).toBe(2);
  });

  it("reads a log again that the device has ended, while somebody watches", async () => {
    const { logs, clock, socket } = await watched();
    await logs[0]?.end();
    await clock.advance(4_999);
    expect(logs.length).toBe(1);
    await clock.advance(1);
    expect(logs.length).toBe(2);
    await logs[1]?.end();
    socket.leave();
    await clock.advance(60_000);
    expect(logs.length).toBe(2);
  });

  it("has each line of the log once, however often people come and go", async () => {
    const { show, logs, clock, replay } = await watched();
    show();
    const line = (text: string) => `11-23 12:00:00.000  1  1 I Fern: ${text}\n`;
    await logs[0]?.say(line("one") + line("two"));
    await logs[0]?.end();
    await clock.advance(5_000);
    // As `logcat -T 1` does, it begins with the newest of before.
    await logs[1]?.say(line("two") + line("two"));
    const { story } = await replay();
    const lines = story.events.flatMap((event) => (event.type === "log" ? event.text.slice(-3) : []));
    expect(lines).toEqual(["one", "two", "two"]);
  });

  it("asks for a key frame when the last one is ten seconds old, and not before", async () => {
    const { clock, show, display, socket } = await watched();
    show();
    const asked = () => display.sent("resetVideo").length;
    const before = asked();
    await clock.advance(9_000);
    show(false);
    expect(asked()).toBe(before);
    await clock.advance(1_000);
    socket.pong();
    show(false);
    expect(asked()).toBe(before + 1);
  });
});

describe("what is kept", () => {
  it("stays for a page that is loaded again, and goes when the display rests", async () => {
    const { clock, show, open, socket, logs, replay, watch } = await watched();
    show();
    expect(logs.length).toBe(1);
    socket.leave();
    await settled();
    expect(logs[0]?.signal?.aborted).toBe(true);
    show();
    await clock.advance(10_000);
    const { story } = await replay();
    expect(story).toMatchObject({ duration_ms: 10_000, events: [{ type: "viewers", count: 0 }] });
    await watch();
    expect(logs.length).toBe(2);
    (await watch()).socket.leave();
    await settled();
    expect([logs.length, logs[1]?.signal?.aborted]).toEqual([2, false]);
    expect((await open()).first).toEqual({ type: "READY" });
  });

  it("counts people, not their windows", async () => {
    const { clock, show, replay, watch } = await watched();
    show();
    (await watch()).socket.leave();
    await settled();
    await watch("guest");
    await clock.advance(1_000);
    const counts = (await replay()).story.events.filter(({ type }) => type === "viewers");
    expect(counts).toMatchObject([{ count: 2 }]);
  });

  it("is gone after half a minute without anybody", async () => {
    const { clock, show, open, socket } = await watched();
    show();
    socket.leave();
    await settled();
    await clock.advance(30_000);
    expect((await open()).first).toEqual({ type: "FAIL", error: { code: "missing" } });
  });

  it("ends with the device", async () => {
    const { server, show, logs } = await watched();
    show();
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(logs[0]?.signal?.aborted).toBe(true);
  });

  it("is read by two pages at once at most", async () => {
    const { show, open } = await watched();
    show();
    const pages = [await open(), await open(), await open()];
    expect(pages.map(({ first }) => first)).toEqual([
      { type: "READY" },
      { type: "READY" },
      { type: "FAIL", error: { code: "busy" } },
    ]);
    pages[0]?.socket.leave();
    await settled();
    expect((await open()).first).toEqual({ type: "READY" });
  });

  it("is saved as it was when it was opened, for whoever opened it", async () => {
    const saved: object[] = [];
    const { show, open, clock, socket } = await watched({
      openCapture: async (start) => ({
        uuid: "c",
        drop: async () => undefined,
        async save(content, { facts }) {
          const parts: Uint8Array[] = [];
          for await (const part of content) parts.push(part);
          saved.push({ ...start, ...facts(), file: Buffer.concat(parts) });
          return { uuid: "c" } as Capture;
        },
      }),
    });
    show();
    await clock.advance(2_000);
    const { ask, socket: page } = await open();
    await ask("read");
    socket.leave();
    await clock.advance(20_000);
    expect(await ask("save")).toEqual({ id: 2, capture: { uuid: "c" } });
    const file = Buffer.concat(page.pictures);
    const start = { instance: DEVICE, user: "u1", credential: "c1", kind: "replay" };
    expect(saved).toEqual([{ ...start, width: 720, height: 1280, durationMs: 2_000, file }]);
    expect((await ask("share")).error).toEqual({ code: "invalid" });
  });

  it("is saved before the gateway ends", async () => {
    const held = Promise.withResolvers<Capture>();
    const { show, open, server } = await watched({
      openCapture: async () => ({ uuid: "c", drop: async () => undefined, save: () => held.promise }),
    });
    show();
    const { socket } = await open();
    socket.say({ id: 1, do: "save" });
    await settled();
    let hasStopped = false;
    const stopped = server.stop().then(() => (hasStopped = true));
    await settled();
    expect(hasStopped).toBe(false);
    held.reject(new Error("the disk is full"));
    await stopped;
  });

  it("is not saved where there is no room, or nowhere to keep it", async () => {
    const full = await watched({ openCapture: () => Promise.reject(new AppError("CAPTURES_FULL")) });
    full.show();
    expect((await (await full.open()).ask("save")).error).toEqual({ code: "full" });
    const { show, open } = await watched();
    show();
    expect((await (await open()).ask("save")).error).toEqual({ code: "unsupported" });
  });
});

it("the log of a device is read over its own adb, while somebody watches", async () => {
  const device = await testDevice();
  onTestFinished(() => device.stop());
  const test = create();
  test.add(undefined, device.adb);
  await test.watch();
  test.display.frame(true, 0n, key);
  await vi.waitFor(async () => {
    await device.adb.shell(["log", "-t", "Fern", "-p", "e", "a leaf"]);
    const socket = await test.come("tools", { token: "owner", tool: "replay" });
    socket.say({ id: 1, do: "read" });
    await vi.waitFor(() => expect(socket.sent.at(-1)).toHaveProperty("size"));
    socket.leave();
    expect(socket.received).toMatch(/ E Fern {4}: a leaf/);
  });
});
