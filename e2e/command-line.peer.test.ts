import { Client as Agent } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { recordedTerminal } from "@terrarium/cli/testing";
import { startForwardProxy } from "@terrarium/cli/testing/forward-proxy";
import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";
import { stockNode } from "./support/stock-node.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const RECIPE = "Phone 6.1 in, Android 15";

describe("the command line", () => {
  let server: TestServer;
  let client: Client;
  let adb: Awaited<ReturnType<typeof stockAdb>>;
  let folder: string;
  let node: string;
  /** In a checkout, by the commands that the documentation begins with. */
  let printed: string;
  let env: Record<string, string | undefined>;
  let run: ReturnType<typeof recordedTerminal>["run"];
  let uuid: string;

  /** It as a process of its own. */
  const start = (...words: string[]) =>
    spawn(node, [inFolder("main.mjs"), ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  /** By way of a proxy, to a name that only the proxy knows. */
  const byProxy = async () => {
    const proxy = await startForwardProxy();
    onTestFinished(() => proxy.stop());
    const url = `http://devices.test:${new URL(server.url).port}`;
    const proxied: typeof env = { ...env, TERRARIUM_URL: url, HTTP_PROXY: proxy.address };
    return { proxy, url, env: proxied };
  };
  const outputOf = async (child: { stdout: Readable } & EventEmitter) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    return { code, output };
  };
  const inFolder = (name: string) => join(folder, name);
  const running = async () =>
    (await client.instances.list({ query: {} })).results.filter(({ state }) => state === "ONLINE");
  const docs = async (name: string) => readFile(new URL(`../docs/${name}.md`, import.meta.url), "utf8");
  /** The commands below a heading of the documentation. */
  const linesOf = (page: string, heading: string) =>
    new RegExp(`\n## ${heading}\n[^]*?\`\`\`sh\n([^]*?)\`\`\``).exec(page)?.[1]?.trim().split("\n") ?? [];
  /** Runs lines in a shell, up to the first that fails. */
  const inShell = async (
    lines: readonly string[],
    given: { cwd: string; env: typeof env },
    onComplaint?: (said: string) => unknown,
  ) => {
    const terrarium = `terrarium() { "${node}" "${inFolder("main.mjs")}" "$@"; }`;
    const script = ["set -eo pipefail", terrarium, ...lines].join("\n");
    const child = spawn("bash", ["-c", script], { ...given, stdio: ["ignore", "pipe", "pipe"] });
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaints += chunk.toString();
      void onComplaint?.(chunk.toString());
    });
    return { ...(await outputOf(child)), complaints };
  };

  beforeAll(async () => {
    node = await stockNode();
    folder = await mkdtemp(join(tmpdir(), "terrarium-cli-"));
    // As the documentation has it run and built, and the one file that people install.
    const [, checkout = ""] = /```sh\n([^]*?)```/.exec(await docs("CLI")) ?? [];
    ({ stdout: printed } = await promisify(execFile)("bash", ["-ec", checkout], { cwd: root }));
    await copyFile(join(root, "apps/cli/dist/main.mjs"), inFolder("main.mjs"));
    const { length } = gzipSync(await readFile(inFolder("main.mjs")));
    console.log(`main.mjs: ${(length / 1000).toFixed(1)} kB gzipped`);
    server = await preparedServer();
    adb = await stockAdb();
    ({ client } = await server.signIn(demo.user));
    const { token } = await client.apiTokens.create({ body: { description: "command line" } });
    env = { ...adb.env, TERRARIUM_URL: server.url, TERRARIUM_API_TOKEN: token, TERRARIUM_CONFIG_HOME: folder };
    ({ run } = recordedTerminal({ folder, env }));
  });

  afterAll(async () => {
    await adb?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("finds nothing in the way", async () => {
    expect(printed).toContain("Usage: terrarium [options] [command]");
    expect(await run("doctor")).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^(✓ .*\n){4}$/) });
  });

  it("starts a device, and works on it without an adb", async () => {
    const { stdout } = await run("instances", "start", RECIPE, "of the terminal");
    uuid = stdout.trim();
    expect(await run("instances", "shell", uuid, "getprop", "ro.product.model")).toMatchObject({
      exitCode: 0,
      stdout: "Fern 61\n",
    });
    expect((await run("instances", "shell", uuid, "ls", "/nosuch")).exitCode).not.toBe(0);
    const bytes = randomBytes(1_000_000);
    await writeFile(inFolder("pushed"), bytes);
    await run("instances", "push", uuid, inFolder("pushed"), "/sdcard/Download/");
    await run("instances", "pull", uuid, "/sdcard/Download/pushed", inFolder("pulled"));
    expect(bytes.equals(await readFile(inFolder("pulled")))).toBe(true);
    await writeFile(
      inFolder("a.apk"),
      makeApk({ packageName: "test.terrarium.cli", versionCode: 1, minSdk: 21, label: "Cli" }),
    );
    expect((await run("instances", "install", uuid, inFolder("a.apk"))).stdout).toBe("test.terrarium.cli\n");
    await run("instances", "screenshot", uuid, inFolder("a.png"));
    expect((await readFile(inFolder("a.png"))).subarray(1, 4).toString()).toBe("PNG");
    expect(await run("instances", "pull", uuid, "/nosuch", inFolder("nothing"))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("No such file"),
    });
  });

  it("does what the documentation says, line by line, has a scenario happen to the device, and stops when nobody reads on", async () => {
    const [cli, scenarios] = [await docs("CLI"), await docs("SCENARIOS")];
    const use = linesOf(cli, "Use a device");
    const [, home] = /```yaml\n([^]*?)```/.exec(scenarios) ?? [];
    const work = inFolder("as documented");
    await mkdir(work);
    await writeFile(join(work, "way-home.yaml"), home ?? "");
    await writeFile(join(work, "notes.txt"), "notes");
    await writeFile(join(work, "app.apk"), await readFile(inFolder("a.apk")));
    await writeFile(join(work, "xdg-open"), '#!/bin/sh\necho "$1" >> opened\n', { mode: 0o755 });
    const [, scenarioLines = ""] = /```sh\n([^]*?)```/.exec(scenarios) ?? [];
    const happened = [
      ...["dumpsys battery", "dumpsys location", "content query --uri content://sms"].map(
        (command) => `terrarium instances shell $U ${command} >> happened`,
      ),
      // What it lacks was asked of the device: not each has a SIM.
      "terrarium scenarios show $U >> happened",
    ];
    const lines = [
      ...use.slice(0, -1),
      // What happened is looked at once it has happened. Nobody but the scenario has set anything on this device.
      scenarioLines
        .replace(/^.* --detach\b.*$/m, `${happened.join("\n")}\n$&`)
        .replace(/^(.* recorded .*) #.*$/m, "! $1 2> nothing"),
      ...linesOf(cli, "adb"),
      "(terrarium recipes list; echo $? > piped) | head -1 > /dev/null",
      "! terrarium recipes list > /dev/full 2> full",
      ...use.slice(-1),
    ];
    const { code, output, complaints } = await inShell(lines, {
      cwd: work,
      env: { ...env, PATH: `${work}:${env.PATH}` },
    });
    expect([code, complaints]).toEqual([0, ""]);
    expect(output).toContain("/sdcard/Download/notes.txt: 5 bytes\nnotes.txt: 5 bytes\nscreen.png\nscreen.mp4\n");
    expect(output).toMatch(/is a scenario\.\nFinished\.\nIt runs\.\n[^]*Success\nDisconnected\.\n/);
    const told = await readFile(join(work, "happened"), "utf8");
    expect(told).toMatch(/level: 9\n[^]*45\.762[^]*Where are you\?[^]*\nfinished: .*underground/);
    expect(await readFile(join(work, "full"), "utf8")).toMatch(/^Error: What is printed cannot be written.*\n$/);
    expect(await readFile(join(work, "opened"), "utf8")).toMatch(/\/instance\/[0-9a-f-]{36}\n$/);
    expect(JSON.parse(await readFile(join(work, "scenario.json"), "utf8"))).toHaveProperty("properties.steps");
    expect((await running()).map(({ name }) => name)).not.toContain("mine");
  });

  it("has what somebody sets with a tool as a scenario", async () => {
    const recorded = () => run("scenarios", "recorded", uuid);
    expect(await recorded()).toMatchObject({ exitCode: 1, stdout: "" });
    const { webrtc_url } = await client.instances.get({ params: { uuid } });
    const { access_token: token } = await client.instances.accessToken({ body: { instance_uuid: uuid } });
    // As a page says it.
    const page = new WebSocket(webrtc_url);
    onTestFinished(() => page.close());
    page.addEventListener("open", () => page.send(JSON.stringify({ type: "token", token })));
    await once(page, "message");
    page.send(JSON.stringify({ channel: "battery", messages: ["set state level 33"] }));
    await eventually("it is recorded", async () => (await recorded()).exitCode === 0);
    expect((await recorded()).stdout).toBe("steps:\n  - after: 0\n    battery:\n      level: 33\n");
  });

  it("signs in by a code and has the device of the documentation, by way of a proxy", async () => {
    const { proxy, url, env: proxied } = await byProxy();
    const home = inFolder("by proxy");
    const { TERRARIUM_API_TOKEN: _, TERRARIUM_URL: __, ...rest } = proxied;
    const through = { ...rest, TERRARIUM_CONFIG_HOME: home };
    const page = await docs("CLI");
    const signIn = linesOf(page, "Sign in").map((line) => line.replace("https://devices.example.com", url));
    const { client: owner } = await server.signIn(demo.user);
    const approve = async (said: string) => {
      const [, code] = /code ([A-Z-]{9}) /.exec(said) ?? [];
      if (code) await owner.programSignIns.decide({ body: { code, decision: "approve" } });
    };
    expect(await inShell(signIn, { cwd: folder, env: through }, approve)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Signed in at .* "Command line on .*\n(✓ .*\n){4}$/),
    });

    const device = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? "";
    await writeFile(inFolder("device.yaml"), device);
    await writeFile(inFolder("app.apk"), await readFile(inFolder("a.apk")));
    await writeFile(inFolder("way-home.yaml"), "name: way home\nsteps:\n  - battery: { level: 42 }\n");
    const { run } = recordedTerminal({ folder: home, env: through });
    const apply = (...words: string[]) => run("apply", "-f", inFolder("device.yaml"), ...words);
    const lines = [...linesOf(page, "A device as a file"), "echo $U"];
    const done = await inShell(lines, { cwd: folder, env: through });
    const [, planned, own] = /^([^]*\n)([0-9a-f-]{36})\n$/.exec(done.output) ?? [];
    expect([done.code, done.complaints]).toEqual([0, planned]);
    expect(planned).toMatch(/^Start the device "payments-smoke" [^]*Install app.apk[^]*Set dark: true[^]*"way home"/);
    expect(JSON.parse(await readFile(inFolder("device.json"), "utf8"))).toHaveProperty("properties.scenario");
    const shell = async (...words: string[]) => (await run("instances", "shell", own!, ...words)).stdout;
    expect(await shell("settings get system user_rotation; settings get secure ui_night_mode")).toBe("1\n2\n");
    await eventually("the scenario has run", async () => /level: 42\n/.test(await shell("dumpsys", "battery")));
    expect(await apply()).toEqual({ exitCode: 0, stdout: `${own}\n`, stderr: "" });
    expect((await apply("--dry-run")).stdout).toBe("Nothing is to be done.\n");

    await mkdir(inFolder("notes/empty"), { recursive: true });
    await writeFile(inFolder("notes/.hidden"), "hidden");
    await run("instances", "push", own!, inFolder("notes"), "/sdcard/Download/");
    expect((await run("instances", "pull", own!, "/sdcard/Download/notes", inFolder("back"))).stdout).toBe(
      `${inFolder("back")}: 1 files in 2 folders, 6 bytes\n`,
    );
    expect((await readdir(inFolder("back"))).toSorted()).toEqual([".hidden", "empty"]);
    await run("instances", "stop", own!);
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(url).host]));
  });

  it("keeps a tunnel for the stock adb, over a restart of its server", async () => {
    const { code, output } = await outputOf(start("instances", "adbconnect", uuid));
    const serial = output.trim();
    expect([code, serial]).toEqual([0, expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
    expect((await run("instances", "list")).stdout).toContain(serial);
    await adb.run("kill-server");
    // The same again: it is there already.
    expect((await run("instances", "adbconnect", uuid)).stdout.trim()).toBe(serial);
    expect((await adb.run("-s", serial, "shell", "echo", "back")).stdout).toBe("back\n");
    expect((await run("instances", "adbconnect", uuid, "--adb-serial-port", "5999")).exitCode).toBe(13);
    expect((await run("instances", "stop", uuid)).exitCode).toBe(0);
    expect((await adb.run("devices")).stdout).not.toContain(serial);
    expect((await run("instances", "list", "-q")).stdout).toBe("");
  });

  it("runs commands on devices of their own, as documented, and stops them", async () => {
    const work = inFolder("project");
    await mkdir(work);
    await writeFile(join(work, "app.apk"), await readFile(inFolder("a.apk")));
    const script = (name: string, text: string) => writeFile(join(work, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    await script("gradlew", '[ "$*" = connectedCheck ] && adb shell pm list packages test.terrarium.cli');
    await script(
      "test.sh",
      "adb shell getprop ro.product.model; echo ${TERRARIUM_API_TOKEN-none}; exit $((4 + TERRARIUM_SHARD))",
    );
    const lines = linesOf(await docs("CLI"), "Run something, and leave nothing behind");
    const { code, output } = await inShell(lines, { cwd: work, env });
    const shards = [1, 2, 3, 4].flatMap((shard) => [`[${shard}] Fern 61`, `[${shard}] none`]);
    expect([code, output.split("\n").toSorted()]).toEqual([7, ["", ...shards, "package:test.terrarium.cli"]]);
    expect(await running()).toEqual([]);
    const preview = await inShell(linesOf(await docs("CLI"), "Let others try an app"), { cwd: work, env });
    expect(preview).toMatchObject({ code: 0, output: expect.stringMatching(/^http.*\/embed\/.*\n[0-9a-f-]{36}\n$/) });
    expect(await running()).toEqual([]);
  });

  it("lets an agent do a whole task on a device, and no more than it may", async () => {
    const agent = new Agent({ name: "agent", version: "1" });
    const { mcpServers } = JSON.parse(/```json\n([^]*?)```/.exec(await docs("CLI"))?.[1] ?? "") as {
      mcpServers: { terrarium: { args: string[] } };
    };
    // As documented, but for one device.
    const args = [inFolder("main.mjs"), ...mcpServers.terrarium.args.slice(1), "--max-devices", "1"];
    await agent.connect(new StdioClientTransport({ command: node, args, env: env as Record<string, string> }));
    const use = async (name: string, given: object = {}) => {
      const { content, isError } = await agent.callTool({ name, arguments: { ...given } });
      const [said, picture] = content as { text?: string; data?: string }[];
      return { said: said?.text ?? "", picture: Buffer.from(picture?.data ?? "", "base64"), isError: isError ?? false };
    };
    expect((await use("list_recipes", { search: RECIPE })).said).toContain(`${RECIPE} (Android 15.0, x86_64)`);
    const [device] = (await use("start_device", { recipe: RECIPE, minutes: 5 })).said.split(" ");
    expect(await use("start_device", { recipe: RECIPE })).toMatchObject({
      isError: true,
      said: expect.stringContaining("no more than 1 may"),
    });
    await use("tap", { device, label: "Notes" });
    await use("tap", { device, label: "plus" });
    await use("type_text", { device, text: "by an agent" });
    const { said, picture } = await use("look", { device });
    expect(said).toMatch(/^\[\d+\] \w+ "by an agent" at \d+,\d+/m);
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    expect((await use("press_key", { device, key: "home" })).isError).toBe(false);
    expect((await use("look", { device, picture: false })).said).toContain('"Notes"');
    expect((await use("tap", { device, label: "nothing" })).said).toBe('Nothing on the screen is called "nothing".');
    expect((await use("install_app", { device, file: inFolder("a.apk") })).said).toContain("test.terrarium.cli");
    expect((await use("logs", { device, lines: 400 })).said).toContain("com.terrarium.notes");
    expect((await use("replay", { device })).said).toMatch(/^-\d+\.\d s something is typed$/m);
    await use("stop_device", { device });
    await agent.close();
    await eventually("it has stopped", async () => (await running()).length === 0);
  });

  it("leaves nothing running when it is told to end, and only for a lease when it is killed or its network is gone", async () => {
    const { proxy, env: proxied } = await byProxy();
    const begin = async (name: string, given = env) => {
      // The command ends with this test, also where nobody is left to end it.
      const command = ["sh", "-c", "echo begun; exec cat"];
      const words = ["run", "--name", name, "--recipe", RECIPE, "--", ...command];
      const child = spawn(node, [inFolder("main.mjs"), ...words], { env: given, stdio: "pipe" });
      onTestFinished(() => void child.stdin.end());
      await once(child.stdout, "data");
      return child;
    };
    const [interrupted, terminated, killed, cutOff] = await Promise.all([
      begin("interrupted"),
      begin("terminated"),
      begin("killed"),
      begin("cut off", proxied),
    ]);
    interrupted.kill("SIGINT");
    terminated.kill("SIGTERM");
    expect((await Promise.all([interrupted, terminated].map(outputOf))).map(({ code }) => code)).toEqual([130, 130]);
    killed.kill("SIGKILL");
    await proxy.stop();
    const names = async () => (await running()).map(({ name }) => name).toSorted();
    expect(await names()).toEqual(["cut off", "killed"]);
    await server.operate("clock", "+1h");
    await eventually("the leases are over", async () => (await names()).length === 0);
    cutOff.kill("SIGKILL");
  });
});
