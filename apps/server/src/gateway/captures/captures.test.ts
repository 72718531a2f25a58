import { AppError, type Capture, limits } from "@terrarium/contract";
import { testDevice } from "@terrarium/simulator/testing";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CaptureStart, OpenedCapture, SaveOptions } from "../../features/captures/save-capture.ts";
import type { FakeSocket } from "../testing/fake-viewer.ts";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";
import { twoColours } from "../testing/two-colours.ts";
import { pictureTime } from "./picture-time.ts";

const MINUTE_MS = 60_000;
const key = Buffer.concat([twoColours.config, twoColours.red]);
const later = Buffer.from([0, 0, 0, 1, 0x41, 0x9a, 1, 2, 3]);

interface Kept extends CaptureStart {
  bytes: Buffer;
  facts: { width: number; height: number; durationMs: number | null };
}

afterEach(() => vi.restoreAllMocks());

/** A device that is watched and whose captures are kept in a list. */
async function begin({
  roomBytes = Number.POSITIVE_INFINITY,
  held,
}: { roomBytes?: number; held?: Promise<void> } = {}) {
  const kept: Kept[] = [];
  const dropped: string[] = [];
  const saving: string[] = [];
  const openCapture = async (start: CaptureStart): Promise<OpenedCapture> => {
    if (roomBytes <= 0) throw new AppError("CAPTURES_FULL");
    return {
      uuid: "c",
      drop: async () => void dropped.push(start.kind),
      async save(content: AsyncIterable<Uint8Array>, { facts, onFull }: SaveOptions) {
        const parts: Uint8Array[] = [];
        let bytes = 0;
        saving.push(start.kind);
        for await (const part of content) {
          // Of half a gigabyte the index is enough.
          if (part.length < 1024 ** 2) parts.push(part);
          if ((bytes += part.length) > roomBytes) onFull?.();
        }
        await held;
        // A file store takes a moment.
        for (let turn = 0; turn < 5; turn++) await settled();
        kept.push({ ...start, bytes: Buffer.concat(parts), facts: facts() });
        return { uuid: "c", kind: start.kind } as Capture;
      },
    };
  };
  const device = await testDevice();
  onTestFinished(() => device.stop());
  const test = create({ openCapture });
  const { display, clock, server } = test;
  display.size = { width: 360, height: 640 };
  test.add(undefined, device.adb);
  const sockets: FakeSocket[] = [];
  const watch = async (token?: string) => {
    const viewer = await test.watch(token);
    sockets.push(viewer.socket);
    viewer.event({ type: "ROOM", what: "join" });
    const heard = () => viewer.socket.sent.flatMap(({ type, message }) => (type === "ROOM" ? [message] : []));
    return { ...viewer, heard };
  };
  let id = 0;
  const tool = async (token = "owner") => {
    const socket = await test.come("tools", { token, tool: "captures" });
    sockets.push(socket);
    return {
      socket,
      async ask(what: string) {
        const mine = ++id;
        socket.say({ id: mine, do: what });
        return vi.waitFor(() => {
          const answer = socket.sent.find((each) => (each as { id?: number }).id === mine);
          if (!answer) throw new Error("not yet");
          return answer as { error?: { code: string }; capture?: Capture | null };
        });
      },
    };
  };
  /** A picture that was made now. */
  const show = (data: Buffer, isKey = false) =>
    display.frame(isKey, BigInt(Math.round(clock.monotonic() * 1_000)), data);
  /** Time passes, in which who is there says so. */
  const wait = async (ms: number) => {
    const STEP_MS = 10_000;
    for (let left = ms; left > 0; left -= STEP_MS) {
      await clock.advance(Math.min(left, STEP_MS));
      for (const socket of sockets) socket.pong();
    }
  };
  const once = <Value>(read: () => Value, value: Value) => vi.waitFor(() => expect(read()).toEqual(value));
  return { ...test, server, display, clock, kept, dropped, saving, watch, tool, show, once, wait };
}

const durationOf = (file: Buffer): number => {
  const at = file.indexOf("mvhd");
  return file.readUInt32BE(at + 20) / file.readUInt32BE(at + 16);
};

describe("a recording", () => {
  it("keeps the device's packets as they are, for as long as each was to be seen", async () => {
    const { watch, tool, show, wait, display, kept, once } = await begin();
    const owner = await watch();
    const { ask } = await tool();
    expect(await ask("record")).not.toHaveProperty("error");
    expect(display.sent("resetVideo").length).toBeGreaterThan(0);
    show(later);
    await wait(1_000);
    show(key, true);
    await wait(500);
    show(later);
    // Nothing moves, so nothing is sent.
    await wait(20_000);
    const answer = await ask("stop");
    expect(answer.capture).toMatchObject({ uuid: "c", kind: "recording" });
    const [{ bytes, ...capture } = expect.fail()] = kept;
    expect(capture).toEqual({
      instance: DEVICE,
      user: "u1",
      credential: "c1",
      kind: "recording",
      facts: { width: 360, height: 640, durationMs: 20_500 },
    });
    expect(durationOf(bytes)).toBe(20.5);
    expect(bytes.includes(Buffer.from(twoColours.red.subarray(4)))).toBe(true);
    await once(owner.heard, [
      { what: "recording", ms: 0 },
      { what: "recording" },
      { what: "recorded", why: "asked", isKept: true },
    ]);
  });

  it("is known to who comes later, and is the only one", async () => {
    const { watch, tool, show, wait, kept, once } = await begin();
    await watch();
    const [one, other] = [await tool(), await tool("colleague")];
    await Promise.all([one.ask("record"), other.ask("record")]);
    show(key, true);
    await wait(42_000);
    const guest = await watch("watcher");
    await once(guest.heard, [{ what: "recording", ms: 42_000 }]);
    await other.ask("record");
    await other.ask("stop");
    expect(kept).toHaveLength(1);
    expect((await one.ask("stop")).capture).toBeNull();
  });

  it.each(["limit of time", "limit of size", "end of the device", "end of the gateway", "lack of room"])(
    "is kept at the %s",
    async (what) => {
      const { watch, tool, show, wait, kept, once, server } = await begin(
        what === "lack of room" ? { roomBytes: 100_000 } : {},
      );
      const { heard } = await watch();
      const { ask } = await tool();
      await ask("record");
      show(key, true);
      await wait(1_000);
      if (what === "limit of time") await wait(limits.recordingMinutes * MINUTE_MS);
      if (what === "limit of size") {
        const large = Buffer.concat([later, Buffer.alloc(8 * 1024 ** 2, 7)]);
        for (let sent = 0; sent < limits.recordingBytes; sent += large.length) {
          show(large);
          await settled();
        }
      }
      if (what === "lack of room")
        for (let nth = 0; nth < 2; nth++) show(Buffer.concat([later, Buffer.alloc(200_000, 7)]));
      if (what === "end of the device") server.removeDevice(DEVICE, "ended");
      let keptAtOnce = 1;
      if (what === "end of the gateway") {
        await server.stop();
        keptAtOnce = kept.length;
      }
      expect(keptAtOnce).toBe(1);
      await once(() => kept.length, 1);
      expect(durationOf(kept[0]!.bytes)).toBeGreaterThanOrEqual(1);
      if (!what.startsWith("end")) {
        const why = what === "lack of room" ? "full" : "limit";
        await once(() => heard().at(-1), { what: "recorded", why, isKept: true });
      }
    },
    30_000,
  );

  it("goes on when its maker's page is loaded again, and ends when it is closed", async () => {
    const { watch, tool, show, wait, kept, once } = await begin();
    const [owner, guest] = [await watch(), await watch("guest")];
    await (await tool()).ask("record");
    show(key, true);
    owner.socket.leave();
    await wait(29_000);
    const again = await watch();
    await wait(60_000);
    expect(kept).toEqual([]);
    again.socket.leave();
    await wait(29_000);
    expect(kept).toEqual([]);
    await wait(2_000);
    await once(() => kept.length, 1);
    await once(() => guest.heard().at(-1), { what: "recorded", why: "left", isKept: true });
  });

  it("goes on for as long after its maker has left anew, whoever else leaves", async () => {
    const { watch, tool, show, wait, kept, once } = await begin();
    const [owner, guest] = [await watch(), await watch("guest")];
    await (await tool()).ask("record");
    show(key, true);
    owner.socket.leave();
    await wait(20_000);
    (await watch()).socket.leave();
    await wait(20_000);
    for (let turn = 0; turn < 10; turn++) await settled();
    expect([kept, guest.heard()]).toEqual([[], [{ what: "recording", ms: 0 }]]);
    guest.socket.leave();
    await wait(11_000);
    await once(() => kept.length, 1);
  });

  it("begins when the one before is kept, if that is being saved", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { watch, tool, show, kept, once } = await begin({ held });
    const { heard } = await watch();
    const [one, other] = [await tool(), await tool()];
    await one.ask("record");
    show(key, true);
    const stopped = one.ask("stop");
    await once(() => heard().at(-1), { what: "recording" });
    const begun = other.ask("record");
    await settled();
    release();
    expect((await stopped).capture).toMatchObject({ kind: "recording" });
    await begun;
    show(key, true);
    expect((await one.ask("stop")).capture).toMatchObject({ kind: "recording" });
    expect(kept).toHaveLength(2);
  });

  it("that no file can hold is not kept, and the next one is", async () => {
    const { watch, tool, show, display, kept, once } = await begin();
    const { heard } = await watch();
    const { ask } = await tool();
    display.size = { width: 0x10000, height: 640 };
    await ask("record");
    show(key, true);
    expect((await ask("stop")).capture).toBeNull();
    await once(() => heard().at(-1), { what: "recorded", why: "asked", isKept: false });
    display.size = { width: 360, height: 640 };
    await ask("record");
    show(key, true);
    expect((await ask("stop")).capture).toMatchObject({ kind: "recording" });
    expect(kept).toHaveLength(1);
  });

  it("is nothing where no picture came, and does not begin where there is no room", async () => {
    const { watch, tool, kept, dropped, once } = await begin();
    const { heard } = await watch();
    const { ask } = await tool();
    await ask("record");
    expect((await ask("stop")).capture).toBeNull();
    expect([kept, dropped]).toEqual([[], ["recording"]]);
    await once(() => heard().at(-1), { what: "recorded", why: "asked", isKept: false });

    const full = await begin({ roomBytes: 0 });
    const owner = await full.watch();
    const refused = await full.tool();
    expect((await refused.ask("record")).error?.code).toBe("full");
    expect((await refused.ask("screenshot")).error?.code).toBe("full");
    expect(owner.heard()).toEqual([]);
  });
});

describe("a screenshot", () => {
  it("is what the device itself says is on its screen", async () => {
    const { tool, kept } = await begin();
    const answer = await (await tool()).ask("screenshot");
    expect(answer.capture).toMatchObject({ kind: "screenshot" });
    const [{ bytes, facts, kind } = expect.fail()] = kept;
    expect([kind, facts.durationMs, bytes.toString("latin1", 1, 4)]).toEqual(["screenshot", null, "PNG"]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([facts.width, facts.height]);
    expect(facts.width).toBeGreaterThan(100);
  });

  it("is taken one at a time, and is kept before the gateway ends", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { tool, kept, saving, once, server } = await begin({ held });
    const [one, other] = [await tool(), await tool("colleague")];
    one.socket.say({ id: 0, do: "screenshot" });
    await once(() => saving, ["screenshot"]);
    expect((await other.ask("screenshot")).error?.code).toBe("busy");
    const stopped = server.stop().then(() => kept.length);
    await settled();
    release();
    expect(await stopped).toBe(1);
  });

  it("can be taken again after one that failed", async () => {
    const { tool, dropped } = await begin({ roomBytes: 0 });
    const { ask } = await tool();
    for (let nth = 0; nth < 2; nth++) expect((await ask("screenshot")).error?.code).toBe("full");
    expect(dropped).toEqual([]);
  });
});

describe("who captures", () => {
  it.each(["guest", "watcher", "linked", "other", "nobody"])("not %s", async (token) => {
    const { tool, dropped, kept } = await begin();
    const { socket } = await tool(token);
    expect(socket.closed).toBeDefined();
    expect([kept, dropped]).toEqual([[], []]);
  });
});

it("a picture is placed by the device's clock, unless that is far from ours", () => {
  const at = pictureTime();
  expect(at(7_000_000n, 100)).toBe(100);
  expect(at(7_016_000n, 140)).toBe(116);
  expect(at(7_033_000n, 130)).toBe(133);
  // It was at rest, and its clock with it.
  expect(at(7_050_000n, 5_000)).toBe(5_000);
  expect(at(1_000n, 5_100)).toBe(5_100);
});
