import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { systemClock } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { DeviceHost } from "@terrarium/simulator";
import { aSpec } from "@terrarium/simulator/testing";
import { createScreen } from "@terrarium/simulator-screen";

/** A simulated device that stands in for a phone: its cable can be pulled, and it can fall silent. */
export interface Phone {
  /** Where its adb answers while it is plugged in. */
  address: AdbAddress;
  unplug(): Promise<void>;
  plug(): Promise<void>;
  /** It takes connections and says nothing, until it is plugged again. */
  silence(): void;
}

/** Some phones on a desk, all of one model. */
export async function somePhones(count: number): Promise<{ phones: Phone[]; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "phones-"));
  const host = new DeviceHost({
    clock: systemClock,
    createScreen,
    maxDevices: count,
    maxDiskBytes: 1 << 28,
    spillFolder: join(folder, "spill"),
    log: () => undefined,
  });
  const machines = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      host.start(
        aSpec({
          id: `phone-${at}`,
          hardware: { properties: { product_model: "Fern 61", product_manufacturer: "Terra" } },
        }),
      ),
    ),
  );
  const phones = await Promise.all(machines.map(({ adb }) => onCable(adb)));
  for (const { host: at, port } of machines.map(({ adb }) => adb)) {
    const link = await connectAdb(nodeSocketDuplex(connect(port, at)));
    await link.shell('while [ "$(getprop sys.boot_completed)" != 1 ]; do sleep 0.05; done');
    link.close();
  }
  return {
    phones,
    async stop() {
      await Promise.all(phones.map((phone) => phone.unplug()));
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function onCable(adb: AdbAddress): Promise<Phone> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  let server: Server | undefined;
  const address = { host: "127.0.0.1", port: 0 };
  const register = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  };
  const carry = (outside: Socket): void => {
    const inside = connect(adb.port, adb.host);
    for (const socket of [outside, inside]) register(socket);
    outside.on("data", (bytes) => isSilent || inside.write(bytes));
    inside.on("data", (bytes) => isSilent || outside.write(bytes));
    outside.once("close", () => inside.destroy());
    inside.once("close", () => outside.destroy());
  };
  const plug = async (): Promise<void> => {
    isSilent = false;
    if (server) return;
    const listening = (server = createServer(carry));
    await new Promise<void>((resolve) => listening.listen(address.port, address.host, resolve));
    const at = listening.address();
    if (typeof at === "object" && at) address.port = at.port;
  };
  await plug();
  return {
    address,
    plug,
    async unplug() {
      const listening = server;
      server = undefined;
      const closed = listening && new Promise((resolve) => listening.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    silence: () => (isSilent = true),
  };
}
