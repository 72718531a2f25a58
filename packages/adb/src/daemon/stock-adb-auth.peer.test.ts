import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AdbKey } from "../auth/adb-key.ts";
import type { DeviceAuthOptions } from "../auth/device-auth.ts";
import { nodeSocketDuplex } from "../connection/node-socket.ts";
import { goldenKey } from "../testing/golden-key.ts";
import { hasStockAdb, startStockAdb, type StockAdb } from "../testing/stock-adb.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { serveAdb } from "./serve-adb.ts";

const isHere = await hasStockAdb();
if (!isHere) console.warn("skipped: keys of the stock adb, since there is no adb on PATH");

describe.skipIf(!isHere)("serveAdb asks the stock adb for its key", () => {
  let home = "";
  let adb: StockAdb;
  let publicKey = "";

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "terrarium-adb-"));
    // The server makes its key when it starts.
    adb = await startStockAdb({ home });
    const key = join(home, ".android", "adbkey");
    publicKey = (
      await readFile(`${key}.pub`, "utf8").catch(async () => (await adb.run(["pubkey", key])).stdout)
    ).trim();
  });

  afterAll(async () => {
    await adb?.stop();
    if (home) await rm(home, { recursive: true });
  });

  /** Connects adb to a device with such a lock; answers what adb says, and a way to run commands there. */
  async function connect(auth: DeviceAuthOptions) {
    const device = new ToyDevice();
    const server = createServer((socket) => {
      serveAdb(nodeSocketDuplex(socket), { banner: device.banner, services: device, auth });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const serial = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(async () => {
      await adb.run(["disconnect", serial]);
      server.close();
    });
    const { stdout } = await adb.run(["connect", serial]);
    return { said: stdout.trim(), serial, run: (...words: string[]) => adb.run(["-s", serial, ...words]) };
  }

  it("lets in a key that it knows", async () => {
    const { said, serial, run } = await connect({ keys: () => [goldenKey.line, publicKey] });
    expect(said).toBe(`connected to ${serial}`);
    expect((await run("shell", "echo in")).stdout).toBe("in\n");
  });

  it("refuses a key that it does not know", async () => {
    const { serial, run } = await connect({ keys: () => [goldenKey.line] });
    // What `adb connect` says is a race: it may be done before the device has refused.
    expect((await adb.run(["devices"])).stdout).not.toContain(`${serial}\tdevice`);
    expect(await run("shell", "echo in")).toMatchObject({ stdout: "", code: 1 });
  });

  it("is shown a key that it does not know, and lets it in once it is accepted", async () => {
    const shown: string[] = [];
    const accept = (line: string) => shown.push(line) > 0;
    const { serial, run } = await connect({ keys: () => [], accept });
    await adb.run(["-s", serial, "wait-for-device"]);
    expect((await run("shell", "echo in")).stdout).toBe("in\n");
    expect(shown[0]).toBe(publicKey);
  });

  it("is offered the same by our own host with that key", async () => {
    const pem = await readFile(join(home, ".android", "adbkey"), "utf8");
    expect(new AdbKey(pem, publicKey.split(" ")[1]!).publicKey).toBe(publicKey);
  });
});
