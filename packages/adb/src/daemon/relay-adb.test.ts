import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { connectAdb } from "../client/connect-adb.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { relayAdb } from "./relay-adb.ts";
import { serveAdb } from "./serve-adb.ts";

/** A link to a toy device by way of a relay, which has a link of its own to it. */
async function relayed() {
  const device = new ToyDevice();
  const [host, daemon] = MemoryDuplex.pair();
  serveAdb(daemon, { banner: device.banner, services: device });
  const far = await connectAdb(host);
  const [near, relay] = MemoryDuplex.pair();
  relayAdb(relay, {
    banner: far.banner,
    open: async (service, signal) => (service.startsWith("tcp:") ? undefined : await far.open(service, signal)),
  });
  return { device, far, link: await connectAdb(near) };
}

it("relays a device's commands, files and sockets, and what it is", async () => {
  const { link, device, far } = await relayed();
  expect(link.banner).toEqual(far.banner);
  expect((await link.shell("complain 9")).exitCode).toBe(9);
  const bytes = randomBytes(3_000_000);
  await link.push({ path: "/data/a", mtime: 1, source: [bytes] });
  expect(bytes.equals(device.files.files.get("/data/a")!.bytes)).toBe(true);
  const echo = await link.openLocalAbstract("echo");
  await echo.write(new Uint8Array([1, 2]));
  expect(await echo.read()).toEqual(new Uint8Array([1, 2]));
  await echo.end();
});

it("refuses what it is not to open, and what the device refuses", async () => {
  const { link } = await relayed();
  await expect(link.open("tcp:7")).rejects.toMatchObject({ code: "REFUSED" });
  await expect(link.openLocalAbstract("nobody")).rejects.toMatchObject({ code: "REFUSED" });
  expect((await link.shell("echo on")).stdout).toBe("on\n");
});

it("ends its streams when the device is gone", async () => {
  const { link, far } = await relayed();
  const echo = await link.openLocalAbstract("echo");
  far.close();
  expect(await echo.read()).toBeUndefined();
});
