import { TestClock } from "@terrarium/clock";
import type { GivenScenario, ScenarioRun } from "@terrarium/contract";
import { aSpec, testDevice } from "@terrarium/simulator/testing";
import type { MachineSpec } from "@terrarium/runtime";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pino from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { settled } from "../testing/settled.ts";
import { createViewerServer } from "../viewer-server.ts";
import type { Grant } from "../viewers/visitor.ts";
import { ScenarioServer } from "./scenario-server.ts";

const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";
const grants: Record<string, Grant | "ended"> = {
  owner: { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" },
  guest: { instanceUuid: DEVICE, user: "u2", role: "participant", credential: "c1" },
  watcher: { instanceUuid: DEVICE, user: "u3", role: "participant", credential: "c1", viewOnly: true },
  linked: { instanceUuid: DEVICE, user: "l1", role: "participant", credential: "c1", link: "l1" },
  other: { instanceUuid: "another", user: "u1", role: "owner", credential: "c1" },
  late: "ended",
};

/** A simulated device at a gateway, and whoever asks that for scenarios on it. Nobody watches. */
async function setUp(formFactor: MachineSpec["hardware"]["formFactor"] = "PHONE") {
  const clock = new TestClock(0);
  const device = await testDevice({ spec: aSpec({ hardware: { formFactor } }) });
  onTestFinished(() => device.stop());
  const log = pino({ level: "silent" });
  const authorize = async (token: string) => grants[token] ?? "wrong";
  const used: number[] = [];
  const viewers = createViewerServer({ clock, log, authorize, onUse: () => used.push(clock.monotonic()) });
  const display = new FakeDisplay();
  const open = async () => new FakeDisplay();
  const add = () =>
    viewers.addDevice(DEVICE, {
      source: display,
      shell: (command, options) => device.adb.shell(command, options),
      openMiniature: open,
      openShowcase: open,
    });
  add();
  const scenarios = new ScenarioServer({
    clock,
    log,
    authorize,
    find: viewers.findDevice,
  });
  const server = createServer((request, response) => void scenarios.serve(DEVICE, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await scenarios.stop();
    await viewers.stop();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (body: object, token = "owner") => {
    const init = { method: "POST", body: JSON.stringify(body), headers: { authorization: `Bearer ${token}` } };
    const reply = await fetch(`http://127.0.0.1:${port}/`, init);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  /** Resolves when the server knows that whoever asked this has hung up, which they did once it was `reached`. */
  const hangUp = async (body: object, reached: Promise<void>) => {
    const socket = connect(port, "127.0.0.1");
    const [text, came] = [JSON.stringify(body), once(server, "request")];
    socket.write(
      `POST / HTTP/1.1\r\nhost: d\r\nauthorization: Bearer owner\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    );
    const [, response] = (await came) as [unknown, ServerResponse];
    await reached;
    socket.destroy();
    await once(response, "close");
  };
  const start = (...steps: GivenScenario["steps"]) => ask({ do: "start", scenario: { steps } });
  /** What is known of the run, in short. */
  const state = async () => {
    const run = (await ask({ do: "read" }, "watcher")).body["run"] as ScenarioRun | null;
    return run && [run.status, run.elapsed_ms, run.round, run.step];
  };
  const shell = async (command: string) => (await device.adb.shell(command)).stdout;
  return { clock, device, display, viewers, scenarios, add, used, ask, hangUp, start, state, shell };
}

const level = (percent: number) => ({ battery: { level: percent } });

describe("a scenario on a simulated device", () => {
  it("happens at its times, as adb shows, without anybody who watches", async () => {
    const { clock, start, state, shell, viewers, used } = await setUp();
    const { replay } = await viewers.findDevice(DEVICE, new AbortController().signal);
    const notes = vi.spyOn(replay, "note");
    const reply = await start(
      { name: "Unplug", battery: { level: 42, charging: false } },
      {
        after: "10s",
        route: {
          points: [
            { latitude: 48, longitude: 2 },
            { latitude: 48.001, longitude: 2, at: "5s" },
          ],
        },
        network: { profile: "edge", signal: "poor", wifi: false },
      },
      { after: "5s", sms: { from: "+33123", text: "Hello; rm -rf '/'" }, sim: { operator: "20801" } },
      { after: "100s", call: { from: "+33987" }, disk: { read_rate: 5_000_000 } },
    );
    expect([reply.status, reply.body["status"], reply.body["duration_ms"]]).toEqual([200, "running", 120_000]);
    await expect.poll(() => shell("dumpsys battery")).toMatch(/level: 42/);
    expect(await shell("dumpsys battery")).toMatch(/status: 3/);
    expect(await state()).toEqual(["running", 0, 1, 0]);
    await clock.advance(9_999);
    expect(await shell("dumpsys location")).not.toContain("48.0");
    await clock.advance(3_001);
    await expect.poll(() => shell("dumpsys location")).toMatch(/48\.0006\d*,2\.0/);
    await expect.poll(() => shell("getprop gsm.network.type")).toMatch(/EDGE/);
    await expect.poll(() => shell("settings get global wifi_on")).toBe("0\n");
    expect(await state()).toEqual(["running", 13_000, 1, 1]);
    await clock.advance(7_000);
    await expect.poll(() => shell("content query --uri content://sms/inbox")).toMatch(/\+33123.*Hello; rm -rf '\/'/);
    await expect.poll(() => shell("getprop gsm.sim.operator.numeric")).toBe("20801\n");
    expect(await shell("dumpsys telephony.registry")).toMatch(/mCallState=0/);
    await clock.advance(100_000);
    await expect.poll(() => shell("dumpsys telephony.registry")).toMatch(/mCallState=1/);
    expect(await state()).toEqual(["finished", 120_000, 1, 3]);
    // Each step is told once, however many places its route has.
    expect(notes.mock.calls.map(([event]) => event)).toEqual([
      { type: "scenario", step: 1, name: "Unplug" },
      { type: "scenario", step: 2, name: "" },
      { type: "scenario", step: 3, name: "" },
      { type: "scenario", step: 4, name: "" },
    ]);
    // Also while nothing is due, the device is in use: nobody ends it for inactivity.
    expect(used.toSorted((a, b) => a - b).some((at) => at > 45_000 && at < 100_000)).toBe(true);
  });

  it("is refused before it begins if the device lacks something, and says for which step", async () => {
    const { start, state, shell } = await setUp("TABLET");
    const before = await shell("dumpsys battery");
    expect(await start(level(7), { name: "News", sms: { from: "1", text: "x" } })).toEqual({
      status: 422,
      body: { code: "SCENARIO_NOT_POSSIBLE", details: { step: "2", name: "News", kind: "sms" } },
    });
    expect(await start({ fingerprint: "recognized" })).toMatchObject({ body: { details: { kind: "fingerprint" } } });
    expect(await state()).toBeNull();
    await settled();
    expect(await shell("dumpsys battery")).toBe(before);
  });

  it("is looked at without being run", async () => {
    const { ask, state } = await setUp();
    const scenario = { name: "Look", steps: [{ at: 2, ...level(7) }] };
    expect((await ask({ do: "check", scenario })).body).toMatchObject({
      name: "Look",
      step: null,
      steps: [{ name: null, kinds: ["battery"], at_ms: 2000, duration_ms: 0 }],
    });
    expect(await state()).toBeNull();
    // Whoever asks past the api is read in the same way.
    expect((await ask({ do: "check", scenario: { steps: [] } })).status).toBe(503);
  });

  it("is one at a time", async () => {
    const { clock, ask, start, state } = await setUp();
    const [one, other] = await Promise.all([start(level(1), { after: 9, ...level(2) }), start(level(3))]);
    expect([one.status, other.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await start(level(3))).toEqual({ status: 409, body: { code: "SCENARIO_RUNNING" } });
    expect((await ask({ do: "stop" })).body["status"]).toBe("stopped");
    expect(await ask({ do: "stop" })).toEqual({ status: 409, body: { code: "SCENARIO_NOT_RUNNING" } });
    expect((await start(level(3))).status).toBe(200);
    await clock.advance(1);
    expect(await state()).toEqual(["finished", 0, 1, 0]);
  });

  it("rests while it is paused, and does nothing more once it is stopped", async () => {
    const { clock, ask, start, state, shell } = await setUp();
    await start(level(50), { after: "10s", ...level(40) }, { after: "10s", ...level(30) });
    await clock.advance(4_000);
    expect((await ask({ do: "pause" })).body["status"]).toBe("paused");
    expect(await ask({ do: "pause" })).toMatchObject({ status: 200 });
    await clock.advance(60_000);
    expect(await state()).toEqual(["paused", 4_000, 1, 0]);
    expect(await shell("dumpsys battery")).toMatch(/level: 50/);
    await ask({ do: "resume" });
    await clock.advance(5_999);
    expect(await state()).toEqual(["running", 9_999, 1, 0]);
    await clock.advance(1);
    await expect.poll(() => shell("dumpsys battery")).toMatch(/level: 40/);
    await ask({ do: "stop" });
    await clock.advance(60_000);
    expect(await state()).toEqual(["stopped", 10_000, 1, 1]);
    expect(await shell("dumpsys battery")).toMatch(/level: 40/);
  });

  it("is repeated", async () => {
    const { clock, ask, state, shell } = await setUp();
    const steps = [level(50), { after: "5s", ...level(40) }, { after: "5s", ...level(30) }];
    await ask({ do: "start", scenario: { repeat: 3, steps } });
    await clock.advance(12_000);
    expect(await state()).toEqual(["running", 2_000, 2, 0]);
    await expect.poll(() => shell("dumpsys battery")).toMatch(/level: 50/);
    await clock.advance(18_000);
    expect(await state()).toEqual(["finished", 10_000, 3, 2]);
  });

  it("goes on when the display is opened anew, and ends with the device", async () => {
    const { clock, viewers, scenarios, add, start, state, shell } = await setUp();
    await start(level(50), { after: "30s", ...level(40) }, { after: "60s", ...level(30) });
    viewers.removeDevice(DEVICE, "lost");
    await clock.advance(40_000);
    expect(await shell("dumpsys battery")).toMatch(/level: 50/);
    add();
    await clock.advance(2_000);
    await expect.poll(() => shell("dumpsys battery")).toMatch(/level: 40/);
    scenarios.ended(DEVICE);
    await clock.advance(100_000);
    expect(await shell("dumpsys battery")).toMatch(/level: 40/);
    expect(await state()).toBeNull();
  });

  it("turns the device only if it is not held so already", async () => {
    const { clock, display, start } = await setUp();
    await start({ rotation: "portrait" }, { after: 1, rotation: "landscape" }, { after: 1, rotation: "quarter" });
    await clock.advance(0);
    await expect.poll(() => display.sent("rotate").length).toBe(0);
    await clock.advance(1000);
    expect(display.sent("rotate").length).toBe(1);
    await clock.advance(1000);
    expect(display.sent("rotate").length).toBe(2);
  });

  it("is for whoever may control the device", async () => {
    const { ask } = await setUp();
    const asks = [{ do: "start", scenario: { steps: [level(1)] } }, { do: "pause" }, { do: "recorded" }];
    for (const token of ["watcher", "linked", "other", "nobody"])
      for (const each of asks)
        expect(await ask(each, token)).toEqual({ status: 403, body: { code: "INSTANCE_NOT_ALLOWED" } });
    expect((await ask({ do: "read" }, "watcher")).status).toBe(200);
    expect((await ask({ do: "read" }, "late")).body["code"]).toBe("INSTANCE_ENDED");
    expect((await ask(asks[0]!, "guest")).status).toBe(200);
  });

  it("waits for a device whose display is opened for it", async () => {
    const { ask, viewers, add } = await setUp();
    viewers.removeDevice(DEVICE, "lost");
    const asked = ask({ do: "recorded" });
    await viewers.wanted(DEVICE, new AbortController().signal);
    add();
    expect((await asked).status).toBe(200);
  });

  const begins = { do: "start", scenario: { steps: [level(42)] } };
  it("does not begin for whoever has hung up before the device was there", async () => {
    const { hangUp, viewers, add, ask, state } = await setUp();
    viewers.removeDevice(DEVICE, "lost");
    await hangUp(begins, viewers.wanted(DEVICE, new AbortController().signal));
    add();
    await settled();
    expect(await state()).toBeNull();
    // Nor is it in the way of another.
    expect((await ask({ do: "start", scenario: { steps: [level(43)] } })).status).toBe(200);
  });

  it("does not begin for whoever has hung up before the device said what it can", async () => {
    const { hangUp, viewers, state } = await setUp();
    const { gadgets } = await viewers.findDevice(DEVICE, new AbortController().signal);
    const [asked, said] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const known = await gadgets.capabilities();
    vi.spyOn(gadgets, "capabilities").mockImplementation(async () => {
      asked.resolve();
      await said.promise;
      return known;
    });
    await hangUp(begins, asked.promise);
    said.resolve();
    await settled();
    expect(await state()).toBeNull();
  });

  it("needs a device that is online", async () => {
    const { ask, viewers } = await setUp();
    viewers.removeDevice(DEVICE, "ended");
    expect(await ask({ do: "recorded" })).toEqual({ status: 409, body: { code: "INSTANCE_NOT_ONLINE" } });
  });
});
