import { openTunnel, type OpenTunnel } from "@terrarium/adb-tunnel/client";
import { TestClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { WebSocket } from "ws";
import { stockAdb } from "./support/adb.ts";
import { startDevice, untilState } from "./support/instances.ts";
import { leakyNetwork } from "./support/leaky-network.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

/** Between attempts of a tunnel to come back. */
const RETRY_MS = 500;

const which = async (program: string) => (await promisify(execFile)("which", [program])).stdout.trim();
const gmsaas = await which("gmsaas").catch(() => undefined);

describe("a device and the stock adb", () => {
  let server: TestServer;
  let adb: Awaited<ReturnType<typeof stockAdb>>;
  let device: Awaited<ReturnType<typeof adb.connect>>;
  let folder: string;
  let client: Client;
  let instance: Instance;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terrarium-adb-"));
    server = await preparedServer();
    adb = await stockAdb();
    ({ client } = await server.signIn(demo.user));
    instance = await startDevice(client, { search: "Phone 6.1 in, Android 15" });
    await untilState(client, instance.uuid, "ONLINE");
    const [row] = await server.instances();
    device = await adb.connect(row?.adb ?? "");
  });

  afterAll(async () => {
    await adb?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("has the properties of its image and profile", async () => {
    expect((await device("shell", "getprop", "ro.build.version.sdk")).stdout.trim()).toBe("35");
    expect((await device("shell", "getprop", "ro.product.model")).stdout.trim()).toBe("Fern 61");
  });

  it("pushes and pulls 20 MB byte for byte", async () => {
    const bytes = randomBytes(20_000_000);
    await writeFile(join(folder, "pushed"), bytes);
    await device("push", join(folder, "pushed"), "/sdcard/Download/pushed");
    await device("pull", "/sdcard/Download/pushed", join(folder, "pulled"));
    expect(bytes.equals(await readFile(join(folder, "pulled")))).toBe(true);
  });

  it("installs an APK", async () => {
    const file = join(folder, "app.apk");
    await writeFile(file, makeApk({ packageName: "test.terrarium.hello", versionCode: 3, minSdk: 21, label: "Hello" }));
    expect((await device("install", "-r", file)).stdout).toContain("Success");
    expect((await device("shell", "pm", "list", "packages")).stdout).toContain("package:test.terrarium.hello");
  });

  it.skipIf(gmsaas === undefined)("is reached by gmsaas, where `pip install gmsaas` was run", async () => {
    const { token } = await client.apiTokens.create({ body: { description: "gmsaas" } });
    const sdk = join(folder, "sdk", "platform-tools");
    await mkdir(sdk, { recursive: true });
    await symlink(await which("adb"), join(sdk, "adb"));
    await writeFile(
      join(folder, "config.json"),
      JSON.stringify({ "android-sdk-path": join(folder, "sdk"), version: 1 }),
    );
    const env = {
      ...adb.env,
      GM_PLATFORM_BASE_URL: `${server.url}/cloud`,
      GM_PLATFORM_SIO_BASE_URL: `${server.url}/cloud`,
      GENYMOTION_API_TOKEN: token,
      GMSAAS_CONFIG_HOME: folder,
      // Its daemon has one socket for each of these.
      TMPDIR: folder,
    };
    const run = async (...words: string[]) =>
      (await promisify(execFile)(gmsaas ?? "", ["--format", "compactjson", ...words], { env })).stdout;
    try {
      const { instance: row } = JSON.parse(await run("instances", "adbconnect", instance.uuid)) as {
        instance: { adb_serial: string };
      };
      const near = (...words: string[]) => adb.run("-s", row.adb_serial, ...words);
      expect((await near("shell", "getprop", "ro.product.model")).stdout.trim()).toBe("Fern 61");
      const bytes = randomBytes(3_000_000);
      await writeFile(join(folder, "gm"), bytes);
      await near("push", join(folder, "gm"), "/sdcard/Download/gm");
      await near("pull", "/sdcard/Download/gm", join(folder, "gm-back"));
      expect(bytes.equals(await readFile(join(folder, "gm-back")))).toBe(true);
      await run("instances", "adbdisconnect", instance.uuid);
      expect((await adb.run("devices")).stdout).not.toContain(row.adb_serial);
    } finally {
      // Its daemon would outlive the test. This ends the adb server as well, which the next to ask starts anew.
      await run("instances", "adbdisconnect", instance.uuid).catch(() => undefined);
      await run("adb", "stop").catch(() => undefined);
    }
  });

  describe("through a tunnel", () => {
    let network: Awaited<ReturnType<typeof leakyNetwork>>;
    let tunnel: OpenTunnel;
    /** That of this end of the tunnel. */
    const clock = new RetryClock(0);
    let far: typeof device;
    const token = async () => {
      const { access_token } = await client.instances.accessToken({ body: { instance_uuid: instance.uuid } });
      return access_token;
    };

    beforeAll(async () => {
      network = await leakyNetwork(server.url);
      tunnel = await openTunnel({ url: network.through(instance.adb_url), token, clock });
      far = await adb.connect(`127.0.0.1:${tunnel.port}`);
    });

    afterAll(async () => {
      await tunnel?.close();
      await network?.stop();
    });

    it("installs, pushes, pulls and reads the log", async () => {
      const bytes = randomBytes(5_000_000);
      await writeFile(join(folder, "near"), bytes);
      await far("push", join(folder, "near"), "/sdcard/Download/far");
      await far("pull", "/sdcard/Download/far", join(folder, "back"));
      expect(bytes.equals(await readFile(join(folder, "back")))).toBe(true);
      const file = join(folder, "far.apk");
      await writeFile(file, makeApk({ packageName: "test.terrarium.far", versionCode: 1, minSdk: 21, label: "Far" }));
      expect((await far("install", file)).stdout).toContain("Success");
      await far("shell", "log", "-t", "tunnel", "through");
      expect((await far("logcat", "-d")).stdout).toContain("through");
    });

    it("forwards and reverses", async () => {
      // A server here, that the device reaches; and a port here that leads back to it through the device.
      const echo = createServer((socket) => socket.pipe(socket));
      await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
      await far("reverse", "tcp:7001", `tcp:${portOf(echo)}`);
      const { stdout } = await far("forward", "tcp:0", "tcp:7001");
      const socket = connect(Number(stdout.trim()), "127.0.0.1");
      socket.write("there and back");
      const [said] = (await once(socket, "data")) as [Buffer];
      expect(String(said)).toBe("there and back");
      socket.destroy();
      echo.close();
    });

    it("goes on where it was when the network is back", async () => {
      const bytes = randomBytes(6_000_000);
      await writeFile(join(folder, "long"), bytes);
      let tries = 0;
      const retryAfter = async (ms: number) => {
        await expect.poll(() => clock.retries, { interval: 1 }).toBe(++tries);
        await clock.advance(ms);
      };
      const until = network.carried() + 1_500_000;
      const pushing = far("push", join(folder, "long"), "/sdcard/Download/long");
      await expect.poll(network.carried, { interval: 1 }).toBeGreaterThan(until);
      network.cut();
      const pulling = pushing.then(() => far("pull", "/sdcard/Download/long", join(folder, "again")));
      // Ten seconds, in which it tries to come back.
      for (const ms of [500, 4_500, 5_000]) await retryAfter(ms);
      await expect.poll(network.refused, { interval: 1 }).toBe(3);
      network.mend();
      await retryAfter(500);
      await expect.poll(network.carried, { interval: 1 }).toBeGreaterThan(until + 7_000_000);
      network.cut();
      network.mend();
      await retryAfter(500);
      await pulling;
      expect(bytes.equals(await readFile(join(folder, "again")))).toBe(true);
    });

    it("has the file that came on the socket for files", async () => {
      const socket = new WebSocket(instance.file_upload_url);
      const { messages, until } = heard(socket);
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "token", token: await token() }));
      socket.send(JSON.stringify({ type: "FILE_UPLOAD", name: "../notes.txt", size: 5 }));
      await until("NEXT");
      socket.send(Buffer.from("notes"));
      await until("PROGRESS");
      socket.send(JSON.stringify({ type: "FILE_UPLOAD", done: true }));
      await until("SUCCESS");
      expect((await far("shell", "cat", "/sdcard/Download/notes.txt")).stdout).toBe("notes");
      expect(messages.map(({ code }) => code)).toEqual(["NEXT", "PROGRESS", "NEXT", "SUCCESS"]);
      socket.close();
    });

    let log: WebSocket;
    it("logs to the page beside its screen", async () => {
      log = new WebSocket(instance.tools_url);
      let text = "";
      log.on("message", (data: Buffer) => (text += data.toString()));
      await once(log, "open");
      log.send(JSON.stringify({ token: await token(), tool: "logcat" }));
      await expect.poll(() => text).toMatch(/^\{"type":"READY"\}/);
      await far("shell", "log", "-t", "Fern", "from afar");
      await expect.poll(() => text).toMatch(/ I Fern +: from afar\n/);
    });

    it("ends with the device", async () => {
      const closed = once(log, "close");
      await client.instances.stop({ params: { uuid: instance.uuid } });
      await expect.poll(async () => (await adb.run("devices")).stdout).not.toMatch(`${tunnel.port}\\tdevice`);
      expect((await closed)[0]).toBe(4244);
    });
  });
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;

/** Knows how often somebody has begun to wait for the next attempt. */
class RetryClock extends TestClock {
  retries = 0;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms === RETRY_MS) this.retries++;
    return super.sleep(ms, signal);
  }
}

/** What is said on a socket for files. */
function heard(socket: WebSocket) {
  const messages: { code: string }[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as { code: string }));
  const until = async (code: string) =>
    await expect.poll(() => messages.map((message) => message.code)).toContain(code);
  return { messages, until };
}
