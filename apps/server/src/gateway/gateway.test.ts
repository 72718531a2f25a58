import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeBattery } from "./testing/fake-battery.ts";
import { FakeDisplay } from "./testing/fake-display.ts";
import { create, DEVICE } from "./testing/held-gateway.ts";
import { settled } from "./testing/settled.ts";

describe("a device", () => {
  it("that comes soon is waited for", async () => {
    const { clock, add, arrive } = create();
    const socket = await arrive("owner");
    await clock.advance(14_999);
    assert.deepEqual([socket.sent, socket.closed], [[], undefined]);
    add();
    await settled();
    assert.deepEqual(socket.sent, [{ connection: "ok" }]);
    // The heartbeat alone.
    assert.equal(clock.sleeping, 1);
  });

  it("that does not come is asked for again by the player", async () => {
    const { clock, arrive } = create();
    const socket = await arrive("owner");
    await clock.advance(15_000);
    assert.deepEqual(socket.closed, { code: 1013, reason: "display not ready" });
    assert.equal(clock.sleeping, 0);
  });

  it("that ends says so to those who watch, those who wait and those who come late", async () => {
    const { add, arrive, watch, gateway, display } = create();
    const told = { code: 4244, reason: "device ended" };
    add();
    const { socket, peer } = await watch();
    gateway.removeDevice(DEVICE, "ended");
    await settled();
    assert.deepEqual(socket.closed, told);
    assert.equal(peer.closed, true);
    assert.deepEqual((await arrive("owner")).closed, told);
    assert.equal(display.gone.aborted, false);
    add();
    const waiting = await arrive("owner");
    assert.equal(waiting.closed, undefined);
  });

  it("that was started again after its end is waited for when its display breaks", async () => {
    const { add, arrive, gateway } = create();
    add();
    gateway.removeDevice(DEVICE, "ended");
    add();
    gateway.removeDevice(DEVICE, "lost");
    const socket = await arrive("owner");
    assert.equal(socket.closed, undefined);
  });

  it("whose display was over before it was added lets nobody in", async () => {
    const { add, display, gateway } = create();
    display.end(new Error("gone"));
    add();
    assert.deepEqual(gateway.stats().devices, {});
  });

  it("that ends while somebody waits for it says so", async () => {
    const { arrive, gateway } = create();
    const socket = await arrive("owner");
    gateway.removeDevice(DEVICE, "ended");
    await settled();
    assert.deepEqual(socket.closed, { code: 4244, reason: "device ended" });
  });

  it("whose display breaks has its viewers come back", async () => {
    const { clock, add, watch, display, gateway } = create();
    add();
    const { socket, peer } = await watch();
    display.end(new Error("the device closed the display"));
    await clock.advance(999);
    assert.equal(socket.closed, undefined);
    await clock.advance(1);
    assert.deepEqual(socket.closed, { code: 1012, reason: "display lost" });
    assert.equal(peer.closed, true);
    assert.deepEqual(gateway.stats().devices, {});
  });

  it("whose display breaks because the device is over says that it is over", async () => {
    const { clock, add, watch, display, gateway } = create();
    add();
    const { socket } = await watch();
    display.end(new Error("the device closed the display"));
    gateway.removeDevice(DEVICE, "lost");
    await clock.advance(500);
    gateway.removeDevice(DEVICE, "ended");
    await settled();
    assert.deepEqual(socket.closed, { code: 4244, reason: "device ended" });
    assert.equal(clock.sleeping, 0);
  });

  it("whose display is opened again at once has its viewers come back at once", async () => {
    const { add, watch, gateway } = create();
    add();
    const { socket } = await watch();
    gateway.removeDevice(DEVICE, "lost");
    add();
    await settled();
    assert.deepEqual(socket.closed, { code: 1012, reason: "display lost" });
    assert.equal(gateway.stats().devices[DEVICE]?.viewers, 0);
  });

  it("takes in 32 viewers", async () => {
    const { add, arrive } = create();
    add();
    for (let count = 0; count < 32; count++) assert.equal((await arrive("owner")).closed, undefined);
    assert.deepEqual((await arrive("owner")).closed, { code: 1013, reason: "too many viewers" });
  });

  it("that was added twice is the later one", async () => {
    const { add, watch, gateway } = create();
    add();
    const { socket } = await watch();
    const second = new FakeDisplay();
    gateway.addDevice(DEVICE, { source: second, shell: fakeBattery().shell });
    await settled();
    assert.deepEqual(socket.closed, { code: 1012, reason: "display lost" });
    const { event } = await watch();
    event({ type: "ROTATE" });
    assert.equal(second.sent("rotate").length, 1);
  });
});

describe("a gateway that stops", () => {
  it("sends everybody away and frees all", async () => {
    const { add, arrive, watch, gateway, clock } = create();
    add();
    const { socket, peer } = await watch();
    const early = await arrive();
    await gateway.stop();
    for (const { closed } of [socket, early]) assert.deepEqual(closed, { code: 4244, reason: "server stopping" });
    assert.equal(peer.closed, true);
    assert.deepEqual(gateway.stats(), { devices: {}, viewers: 0, sent: 0, skipped: 0 });
    assert.equal(clock.sleeping, 0);
  });
});
