import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeSocketDuplex } from "../connection/node-socket.ts";
import { freePort, hasStockAdb, startStockAdb, type StockAdb } from "../testing/stock-adb.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { serveAdb } from "./serve-adb.ts";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function listen(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends bytes to a port and gives what comes back until it closes. */
function ask(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.on("data", (data: Buffer) => {
      answer += data.toString("latin1");
      if (answer.length >= bytes.length) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const isHere = await hasStockAdb();
if (!isHere) console.warn("skipped: the daemon against the stock adb, since there is no adb on PATH");

describe.skipIf(!isHere)("serveAdb with the stock adb", () => {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  let adb: StockAdb;
  let server: Server;
  let port = 0;
  let folder = "";
  const run = (...words: string[]) => adb.run(["-s", `127.0.0.1:${port}`, ...words]);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terrarium-adb-"));
    ({ server, port } = await listen((socket) =>
      serveAdb(nodeSocketDuplex(socket), {
        banner: device.banner,
        services: device,
        reverses: device.reverses,
        report: (error) => reports.push(error),
      }),
    ));
    adb = await startStockAdb();
    const { stdout } = await adb.run(["connect", `127.0.0.1:${port}`]);
    if (!stdout.startsWith("connected to")) throw new Error(stdout);
  });

  afterAll(async () => {
    await adb?.stop();
    server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  it("is listed with product, model and device", async () => {
    const { stdout } = await adb.run(["devices", "-l"]);
    expect(stdout).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port}\\s+device product:toy model:Toy_1 device:toy`, "m"));
  });

  it("gives output, errors and the exit code apart", async () => {
    expect(await run("shell", "complain 42")).toEqual({ stdout: "out\n", stderr: "err\n", code: 42 });
    const missing = await run("shell", "nosuch");
    expect([missing.code, missing.stderr]).toEqual([127, "/system/bin/sh: nosuch: inaccessible or not found\n"]);
  });

  it("pipes input through a command", async () => {
    const bytes = randomBytes(3_000_000);
    const { stdout, code } = await adb.run(["-s", `127.0.0.1:${port}`, "shell", "cat"], bytes);
    expect(code).toBe(0);
    expect(hash(Buffer.from(stdout, "latin1"))).toBe(hash(bytes));
  });

  it("tells a command whether it has a terminal, and which", async () => {
    expect((await run("shell", "terminal")).stdout).toBe("no terminal\n");
    expect((await run("shell", "-tt", "terminal")).stdout).toBe(`terminal ${adb.env.TERM}\n`);
  });

  it("gives raw output to exec-out", async () => {
    const { stdout } = await run("exec-out", "flood 200000");
    expect(stdout).toBe("f".repeat(200_000));
  });

  it("survives a service with a defect, and reports it", async () => {
    const { stderr, code } = await run("shell", "break");
    expect([code, stderr]).toEqual([1, "shell: internal error\n"]);
    expect(String(reports.pop())).toMatch(/a defect/);
  });

  it("takes and gives 20 MB byte for byte, with mode and time", async () => {
    const bytes = randomBytes(20_000_000);
    const [from, to] = [join(folder, "from.bin"), join(folder, "to.bin")];
    await writeFile(from, bytes, { mode: 0o640 });
    await utimes(from, 1_700_000_000, 1_700_000_000);
    const push = await run("push", from, "/data/local/tmp/f.bin");
    expect(push).toMatchObject({ code: 0 });
    const file = device.files.files.get("/data/local/tmp/f.bin");
    expect([file?.mode, file?.mtime, hash(file!.bytes)]).toEqual([0o100640, 1_700_000_000, hash(bytes)]);
    const pull = await run("pull", "-a", "/data/local/tmp/f.bin", to);
    expect(pull).toMatchObject({ code: 0 });
    expect(hash(await readFile(to))).toBe(hash(bytes));
    expect((await stat(to)).mtimeMs).toBe(1_700_000_000_000);
    device.files.files.delete("/data/local/tmp/f.bin");
  });

  it("pushes into a folder by its name and lists it", async () => {
    const from = join(folder, "note.txt");
    await writeFile(from, "hello");
    await run("push", from, "/data/local/tmp");
    const { stdout } = await run("ls", "/data/local/tmp");
    expect(stdout).toMatch(/^[0-9a-f]{8} 00000005 [0-9a-f]{8} note\.txt$/m);
  });

  it("says why a file cannot be written or read, and goes on", async () => {
    const from = join(folder, "big.txt");
    await writeFile(from, "x".repeat(500_000));
    const push = await run("push", from, "/readonly/big.txt");
    expect(push.code).not.toBe(0);
    expect(push.stderr + push.stdout).toMatch(/couldn't create file: Read-only file system/);
    const pull = await run("pull", "/nosuch", folder);
    expect(pull.stderr + pull.stdout).toMatch(/remote object '\/nosuch': No such file or directory/);
    expect((await run("shell", "echo alive")).stdout).toBe("alive\n");
  });

  it("installs by streaming the APK", async () => {
    const apk = Buffer.concat([Buffer.from("PK\x03\x04"), randomBytes(1_500_000)]);
    await writeFile(join(folder, "a.apk"), apk);
    const install = await run("install", "-r", join(folder, "a.apk"));
    expect(install).toMatchObject({ stdout: "Performing Streamed Install\nSuccess\n", code: 0 });
    expect(hash(device.installed.pop()!)).toBe(hash(apk));
    expect(device.commands.at(-1)).toBe(`cmd package 'install' '-r' -S ${apk.length}`);
  });

  it("says what is wrong with an APK", async () => {
    await writeFile(join(folder, "bad.apk"), "not a zip at all");
    const { stderr, code } = await run("install", join(folder, "bad.apk"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/INSTALL_PARSE_FAILED_NOT_APK/);
  });

  it("forwards a port to a local socket and to a port of the device", async () => {
    for (const target of ["localabstract:echo", "tcp:7"]) {
      const local = await freePort();
      await run("forward", `tcp:${local}`, target);
      const text = randomBytes(300_000);
      expect(await ask(local, text)).toBe(text.toString("latin1"));
    }
  });

  it("refuses a local socket nobody listens on", async () => {
    const local = await freePort();
    await run("forward", `tcp:${local}`, "localabstract:nosuch");
    expect(await ask(local, Buffer.from("hello"))).toBe("");
  });

  it("connects back through a reverse", async () => {
    const host = await listen((socket) =>
      socket.on("data", (data: Buffer) => void socket.write(`got ${data.toString()}`)),
    );
    try {
      expect((await run("reverse", "localabstract:demo", `tcp:${host.port}`)).code).toBe(0);
      expect((await run("reverse", "--list")).stdout).toBe(`(reverse) localabstract:demo tcp:${host.port}\n\n`);
      expect((await run("shell", "connect localabstract:demo hi")).stdout).toBe("got hi");
      const chosen = (await run("reverse", "tcp:0", `tcp:${host.port}`)).stdout.trim();
      expect(chosen).toMatch(/^\d+$/);
      expect((await run("shell", `connect tcp:${chosen} ho`)).stdout).toBe("got ho");
      const again = await run("reverse", "--no-rebind", "localabstract:demo", "tcp:1");
      expect(again.stderr).toMatch(/cannot rebind existing socket/);
      expect((await run("reverse", "--remove", "localabstract:demo")).code).toBe(0);
      expect((await run("shell", "connect localabstract:demo hi")).stderr).toBe("nobody listens\n");
      expect((await run("reverse", "--remove", "localabstract:demo")).code).not.toBe(0);
      expect((await run("reverse", "--remove-all")).code).toBe(0);
    } finally {
      host.server.close();
    }
  });

  it("hears of logcat as the command adb makes of it", async () => {
    await run("logcat", "-d", "-v", "brief");
    expect(device.commands.at(-1)).toBe(`export ANDROID_LOG_TAGS="''"; exec logcat '-d' '-v' 'brief'`);
  });

  it("answers root, remount and reboot, and refuses jdwp", async () => {
    expect((await run("root")).stdout).toMatch(/adbd cannot run as root in production builds/);
    expect((await run("remount")).stdout).toMatch(/Not running as root/);
    expect((await run("reboot", "recovery")).code).toBe(0);
    expect(device.reboots).toEqual(["recovery"]);
    expect((await run("jdwp")).stderr).toMatch(/closed/);
  });

  it("tells a command that its host was killed", async () => {
    const aborted = new Promise((_, reject) => (device.onAborted = reject));
    const child = spawn("adb", ["-s", `127.0.0.1:${port}`, "shell", "hang"], {
      env: adb.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await expect(aborted).rejects.toMatchObject({ code: "STREAM_CLOSED" });
  });

  it("serves the next host after garbage", async () => {
    for (const garbage of [randomBytes(5000), Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(10)), Buffer.alloc(100)])
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(garbage));
        socket.on("error", () => {});
        socket.on("close", () => resolve());
      });
    expect((await run("shell", "echo still here")).stdout).toBe("still here\n");
    expect(reports).toEqual([]);
  });
});
