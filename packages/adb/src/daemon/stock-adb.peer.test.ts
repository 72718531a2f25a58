import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
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
    assert.match(stdout, /^connected to/);
  });

  afterAll(async () => {
    await adb?.stop();
    server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  it("is listed with product, model and device", async () => {
    const { stdout } = await adb.run(["devices", "-l"]);
    assert.match(stdout, new RegExp(`^127\\.0\\.0\\.1:${port}\\s+device product:toy model:Toy_1 device:toy`, "m"));
  });

  it("gives output, errors and the exit code apart", async () => {
    assert.deepEqual(await run("shell", "complain 42"), { stdout: "out\n", stderr: "err\n", code: 42 });
    const missing = await run("shell", "nosuch");
    assert.deepEqual([missing.code, missing.stderr], [127, "/system/bin/sh: nosuch: inaccessible or not found\n"]);
  });

  it("pipes input through a command", async () => {
    const bytes = randomBytes(3_000_000);
    const { stdout, code } = await adb.run(["-s", `127.0.0.1:${port}`, "shell", "cat"], bytes);
    assert.equal(code, 0);
    assert.equal(hash(Buffer.from(stdout, "latin1")), hash(bytes));
  });

  it("tells a command whether it has a terminal, and which", async () => {
    assert.equal((await run("shell", "terminal")).stdout, "no terminal\n");
    assert.equal((await run("shell", "-tt", "terminal")).stdout, `terminal ${adb.env.TERM}\n`);
  });

  it("gives raw output to exec-out", async () => {
    const { stdout } = await run("exec-out", "flood 200000");
    assert.equal(stdout, "f".repeat(200_000));
  });

  it("survives a service with a defect, and reports it", async () => {
    const { stderr, code } = await run("shell", "break");
    assert.deepEqual([code, stderr], [1, "shell: internal error\n"]);
    assert.match(String(reports.pop()), /a defect/);
  });

  it("takes and gives 20 MB byte for byte, with mode and time", async () => {
    const bytes = randomBytes(20_000_000);
    const [from, to] = [join(folder, "from.bin"), join(folder, "to.bin")];
    await writeFile(from, bytes, { mode: 0o640 });
    await utimes(from, 1_700_000_000, 1_700_000_000);
    const push = await run("push", from, "/data/local/tmp/f.bin");
    assert.equal(push.code, 0, push.stderr);
    const file = device.files.files.get("/data/local/tmp/f.bin");
    assert.deepEqual([file?.mode, file?.mtime, hash(file!.bytes)], [0o100640, 1_700_000_000, hash(bytes)]);
    const pull = await run("pull", "-a", "/data/local/tmp/f.bin", to);
    assert.equal(pull.code, 0, pull.stderr);
    assert.equal(hash(await readFile(to)), hash(bytes));
    assert.equal((await stat(to)).mtimeMs, 1_700_000_000_000);
    device.files.files.delete("/data/local/tmp/f.bin");
  });

  it("pushes into a folder by its name and lists it", async () => {
    const from = join(folder, "note.txt");
    await writeFile(from, "hello");
    await run("push", from, "/data/local/tmp");
    const { stdout } = await run("ls", "/data/local/tmp");
    assert.match(stdout, /^[0-9a-f]{8} 00000005 [0-9a-f]{8} note\.txt$/m);
  });

  it("says why a file cannot be written or read, and goes on", async () => {
    const from = join(folder, "big.txt");
    await writeFile(from, "x".repeat(500_000));
    const push = await run("push", from, "/readonly/big.txt");
    assert.notEqual(push.code, 0);
    assert.match(push.stderr + push.stdout, /couldn't create file: Read-only file system/);
    const pull = await run("pull", "/nosuch", folder);
    assert.match(pull.stderr + pull.stdout, /remote object '\/nosuch': No such file or directory/);
    assert.equal((await run("shell", "echo alive")).stdout, "alive\n");
  });

  it("installs by streaming the APK", async () => {
    const apk = Buffer.concat([Buffer.from("PK\x03\x04"), randomBytes(1_500_000)]);
    await writeFile(join(folder, "a.apk"), apk);
    const { stdout, code, stderr } = await run("install", "-r", join(folder, "a.apk"));
    assert.deepEqual([stdout, code], ["Performing Streamed Install\nSuccess\n", 0], stderr);
    assert.equal(hash(device.installed.pop()!), hash(apk));
    assert.equal(device.commands.at(-1), `cmd package 'install' '-r' -S ${apk.length}`);
  });

  it("says what is wrong with an APK", async () => {
    await writeFile(join(folder, "bad.apk"), "not a zip at all");
    const { stderr, code } = await run("install", join(folder, "bad.apk"));
    assert.equal(code, 1);
    assert.match(stderr, /INSTALL_PARSE_FAILED_NOT_APK/);
  });

  it("forwards a port to a local socket and to a port of the device", async () => {
    for (const target of ["localabstract:echo", "tcp:7"]) {
      const local = await freePort();
      await run("forward", `tcp:${local}`, target);
      const text = randomBytes(300_000);
      assert.equal(await ask(local, text), text.toString("latin1"));
    }
  });

  it("refuses a local socket nobody listens on", async () => {
    const local = await freePort();
    await run("forward", `tcp:${local}`, "localabstract:nosuch");
    assert.equal(await ask(local, Buffer.from("hello")), "");
  });

  it("connects back through a reverse", async () => {
    const host = await listen((socket) =>
      socket.on("data", (data: Buffer) => void socket.write(`got ${data.toString()}`)),
    );
    try {
      assert.equal((await run("reverse", "localabstract:demo", `tcp:${host.port}`)).code, 0);
      assert.equal((await run("reverse", "--list")).stdout, `(reverse) localabstract:demo tcp:${host.port}\n\n`);
      assert.equal((await run("shell", "connect localabstract:demo hi")).stdout, "got hi");
      const chosen = (await run("reverse", "tcp:0", `tcp:${host.port}`)).stdout.trim();
      assert.match(chosen, /^\d+$/);
      assert.equal((await run("shell", `connect tcp:${chosen} ho`)).stdout, "got ho");
      const again = await run("reverse", "--no-rebind", "localabstract:demo", "tcp:1");
      assert.match(again.stderr, /cannot rebind existing socket/);
      assert.equal((await run("reverse", "--remove", "localabstract:demo")).code, 0);
      assert.equal((await run("shell", "connect localabstract:demo hi")).stderr, "nobody listens\n");
      assert.notEqual((await run("reverse", "--remove", "localabstract:demo")).code, 0);
      assert.equal((await run("reverse", "--remove-all")).code, 0);
    } finally {
      host.server.close();
    }
  });

  it("hears of logcat as the command adb makes of it", async () => {
    await run("logcat", "-d", "-v", "brief");
    assert.equal(device.commands.at(-1), `export ANDROID_LOG_TAGS="''"; exec logcat '-d' '-v' 'brief'`);
  });

  it("answers root, remount and reboot, and refuses jdwp", async () => {
    assert.match((await run("root")).stdout, /adbd cannot run as root in production builds/);
    assert.match((await run("remount")).stdout, /Not running as root/);
    assert.equal((await run("reboot", "recovery")).code, 0);
    assert.deepEqual(device.reboots, ["recovery"]);
    assert.match((await run("jdwp")).stderr, /closed/);
  });

  it("tells a command that its host was killed", async () => {
    const aborted = new Promise((_, reject) => (device.onAborted = reject));
    const child = spawn("adb", ["-s", `127.0.0.1:${port}`, "shell", "hang"], {
      env: adb.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await assert.rejects(aborted, { code: "STREAM_CLOSED" });
  });

  it("serves the next host after garbage", async () => {
    for (const garbage of [randomBytes(5000), Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(10)), Buffer.alloc(100)])
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(garbage));
        socket.on("error", () => {});
        socket.on("close", () => resolve());
      });
    assert.equal((await run("shell", "echo still here")).stdout, "still here\n");
    assert.deepEqual(reports, []);
  });
});
