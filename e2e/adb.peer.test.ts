import { makeApk } from "@terrarium/simulator/testing";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

describe("a device and the stock adb", () => {
  let server: TestServer;
  let adb: Awaited<ReturnType<typeof stockAdb>>;
  let device: Awaited<ReturnType<typeof adb.connect>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terrarium-adb-"));
    server = await preparedServer();
    adb = await stockAdb();
    const { client } = await server.signIn(demo.user);
    const { uuid } = await startDevice(client, { search: "Phone 6.1 in, Android 15" });
    await untilState(client, uuid, "ONLINE");
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
});
