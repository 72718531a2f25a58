import { once } from "node:events";
import { connect } from "node:net";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { aborted, TestClock } from "@terrarium/clock";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "../host/commands.ts";
import { testDevice } from "../testing/test-device.ts";
import { startAdbListener } from "./adb-listener.ts";

async function aListener() {
  const clock = new TestClock();
  const { device, stop } = await testDevice({ clock });
  const listener = await startAdbListener(device, commands, () => undefined);
  onTestFinished(async () => {
    await listener.stop();
    stop();
  });
  return { clock, listener, open: () => connect({ host: listener.host, port: listener.port }) };
}

describe("the adb port", () => {
  it("is not there on other addresses", async () => {
    const { listener } = await aListener();
    // An address of this machine, as all of 127.0.0.0/8 are on Linux.
    const other = connect({ host: "127.0.0.2", port: listener.port });
    await expect(once(other, "connect")).rejects.toMatchObject({ syscall: "connect" });
  });

  it("keeps a host that has greeted, however long it stays", async () => {
    const { clock, open } = await aListener();
    const link = await connectAdb(nodeSocketDuplex(open()));
    await clock.advance(60_000);
    expect((await link.shell("getprop ro.terrarium.simulated")).stdout).toBe("1\n");
    expect(link.gone.aborted).toBe(false);
    link.close();
  });

  it("closes connections while it is held, and serves those that come when it is released", async () => {
    const { listener, open } = await aListener();
    const link = await connectAdb(nodeSocketDuplex(open()));
    const release = listener.hold();
    await aborted(link.gone);
    const connecting = connectAdb(nodeSocketDuplex(open()));
    const impatient = open();
    await new Promise((resolve) => impatient.once("connect", resolve));
    impatient.destroy();
    let isServed = false;
    void connecting.then(() => (isServed = true));
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isServed).toBe(false);
    release();
    const next = await connecting;
    expect((await next.shell("echo here")).stdout).toBe("here\n");
    next.close();
  });

  it("sends a peer away that says nothing for half a minute", async () => {
    const { clock, open } = await aListener();
    const socket = open();
    await new Promise((resolve) => socket.once("connect", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    // The other side must have taken the connection before its time runs.
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(29_999);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
