import type { UiNode } from "@terrarium/contract";
import { AdbError, type AdbProcess } from "@terrarium/adb";
import { makeApk, testDevice, type TestDevice } from "@terrarium/simulator/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FakeByteSocket } from "../testing/fake-viewer.ts";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";
import type { ToolLink } from "./tool.ts";

let opened: TestDevice[] = [];
afterEach(() => {
  for (const device of opened) device.stop();
  opened = [];
});

/** A simulated device over its own adb, and a page with a tool of it. */
async function aTool(tool: string, more: object = {}) {
  const device = await testDevice();
  opened.push(device);
  const test = create();
  test.add(undefined, device.adb);
  const socket = await test.come("tools", { token: "owner", tool, ...more });
  await vi.waitFor(() => expect(socket.sent.length).toBeGreaterThan(0));
  let id = 0;
  const ask = async (what: string, said: object = {}): Promise<Answer> => {
    const mine = ++id;
    socket.say({ id: mine, do: what, ...said });
    return vi.waitFor(() => {
      const answer = socket.sent.find((each) => (each as Answer).id === mine);
      if (!answer) throw new Error("not yet");
      return answer as Answer;
    });
  };
  return { ...test, device, socket, ask };
}

interface Answer {
  id: number;
  error?: { code: string; words?: string };
  entries?: { name: string; kind: string; size: number; mtime: number }[];
  apps?: { name: string; isSystem: boolean }[];
  names?: Record<string, string>;
  tree?: { width: number; height: number; rotation: number; isCut: boolean; root: UiNode };
}

/** A device whose programs a test ends, and does not answer otherwise. */
function heldLink() {
  const signals: AbortSignal[] = [];
  const output = Promise.withResolvers<void>();
  const printed: Uint8Array[] = [];
  const link = {
    spawn: async (_, options) => {
      if (options?.signal) signals.push(options.signal);
      const process: AdbProcess = {
        stdout: (async function* () {
          for (let line = 0; line < 100; line++) {
            const bytes = new Uint8Array(64 * 1024);
            printed.push(bytes);
            yield bytes;
          }
          await output.promise;
        })(),
        stderr: (async function* (): AsyncGenerator<Uint8Array> {})(),
        write: async () => undefined,
        closeStdin: async () => undefined,
        resize: async () => undefined,
        exit: new Promise(() => undefined),
        kill: () => undefined,
      };
      return process;
    },
    shell: (_, options) =>
      new Promise((_resolve, reject) =>
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error)),
      ),
    banner: { product: "p", model: "m", device: "d", features: new Set<string>() },
  } as Partial<ToolLink> as ToolLink;
  return { link, signals, printed };
}

const last = (socket: FakeByteSocket) => socket.sent.at(-1);

describe("who has tools", () => {
  it.each([
    ["a guest", "guest", 1008],
    ["a watcher", "watcher", 1008],
    ["who came by a link and may touch", "linked", 1008],
    ["the owner of another", "other", 4242],
    ["a stranger", "nobody", 4242],
    ["somebody of before", "old", 4243],
  ])("not %s", async (_, token, code) => {
    const test = create();
    const { link, signals } = heldLink();
    test.add(undefined, link);
    for (const tool of ["logcat", "shell", "files", "apps", "download", "replay"])
      expect((await test.come("tools", { token, tool, path: "/sdcard/a" })).closed?.code).toBe(code);
    expect(signals).toEqual([]);
  });

  it.each(["", "{}", { token: "owner" }, { token: "owner", tool: "root" }, { token: "owner", tool: "toString" }])(
    "not who says %j",
    async (hello) => {
      const test = create();
      test.add(undefined, heldLink().link);
      const socket = await test.come("tools", hello);
      await test.clock.advance(10_000);
      expect(socket.closed?.code).toBe(4242);
    },
  );

  it("not an owner who may only watch", async () => {
    const test = create({
      authorize: async () => ({ instanceUuid: DEVICE, user: "u1", role: "owner", viewOnly: true }),
    });
    test.add(undefined, heldLink().link);
    expect((await test.come("tools", { token: "t", tool: "shell" })).closed?.code).toBe(1008);
  });

  it("but for what is on the screen all who see its picture, as long as they do", async () => {
    const test = create();
    test.add(undefined, heldLink().link);
    const sockets = [];
    // Who came by a link sees the picture alone.
    for (const token of ["owner", "guest", "watcher", "other", "linked", "shown"])
      sockets.push(await test.come("tools", { token, tool: "ui" }));
    expect(sockets.map(({ closed }) => closed?.code)).toEqual([undefined, undefined, undefined, 4242, 1008, 1008]);
    test.server.setControl(() => true, false);
    await settled();
    expect(sockets[1]?.closed).toBeUndefined();
    sockets[1]?.say({ id: 1, do: "dump" });
    await settled();
    // It is not used by being looked at.
    expect(test.used).toEqual([]);
    test.server.cutOff(({ user }) => user === "u2");
    await settled();
    expect(sockets.map(({ closed }) => closed?.code)).toEqual([undefined, 4243, undefined, 4242, 1008, 1008]);
  });

  it("sixteen at once, of one device", async () => {
    const test = create();
    test.add(undefined, heldLink().link);
    const sockets = [];
    for (let tool = 0; tool < 16; tool++) sockets.push(await test.come("tools", { token: "owner", tool: "files" }));
    expect(sockets.map(({ closed }) => closed)).toEqual(sockets.map(() => undefined));
    const late = await test.come("tools", { token: "owner", tool: "files" });
    expect(late.closed).toEqual({ code: 1013, reason: "too many tools" });
    sockets[0]?.leave();
    await settled();
    expect((await test.come("tools", { token: "owner", tool: "files" })).closed).toBeUndefined();
  });
});

describe("a guest", () => {
  it("has two at once, which take none from the owner", async () => {
    const test = create();
    test.add(undefined, heldLink().link);
    const open = async (token: string) => (await test.come("tools", { token, tool: "ui" })).closed?.reason;
    expect([await open("guest"), await open("guest"), await open("guest"), await open("watcher")]).toEqual([
      undefined,
      undefined,
      "too many tools",
      undefined,
    ]);
    for (let tool = 0; tool < 16; tool++) expect(await open("owner")).toBeUndefined();
    expect(await open("owner")).toBe("too many tools");
  });
});

describe("what is done with a tool", () => {
  it("is told with whoever does it, and what the device has refused as that", async () => {
    const { ask, device, acts } = await aTool("files");
    await device.adb.push({ path: "/sdcard/leaf", mtime: 0, source: [Buffer.from("green")] });
    await ask("list", { path: "/sdcard" });
    await ask("delete", { path: "/sdcard/leaf" });
    await ask("delete", { path: "/system/build.prop" });
    await ask("delete", { path: "/sdcard/leaf" });
    await ask("delete", { path: "sdcard" });
    const by = ["u1", "203.0.113.7"];
    expect(acts).toEqual([
      [...by, { action: "instance.delete_file", details: { path: "/sdcard/leaf" } }],
      [...by, { action: "instance.delete_file", outcome: "refused", details: { path: "/system/build.prop" } }],
      [...by, { action: "instance.delete_file", outcome: "refused", details: { path: "/sdcard/leaf" } }],
    ]);
  });

  it("is told of a shell, a file and an app, and not of what is only looked at", async () => {
    const shell = await aTool("shell");
    await vi.waitFor(() => expect(shell.acts).toEqual([["u1", "203.0.113.7", { action: "instance.open_shell" }]]));
    const file = await aTool("download", { path: "/system/build.prop" });
    const bytes = (await file.device.adb.stat("/system/build.prop"))?.size;
    const details = { path: "/system/build.prop", bytes };
    await vi.waitFor(() => expect(file.acts[0]?.[2]).toEqual({ action: "instance.download_file", details }));
    const apps = await aTool("apps");
    await apps.ask("list");
    await apps.ask("clear", { name: "org.leaf.none" });
    await apps.ask("uninstall", { name: "not; a name" });
    expect(apps.acts.map(([, , act]) => act)).toEqual([
      { action: "instance.clear_app", outcome: "refused", details: { package: "org.leaf.none" } },
    ]);
    const missing = await aTool("download", { path: "/sdcard/none" });
    await vi.waitFor(() => expect(missing.socket.closed).toBeDefined());
    expect(missing.acts).toEqual([]);
  });

  it.each([
    ["FAILED", "refused"],
    ["REFUSED", "refused"],
    ["CLOSED", undefined],
  ] as const)("is what the user is told of it: %s is %s", async (code, outcome) => {
    const test = create();
    const shell = () => Promise.reject(new AdbError(code, "no"));
    test.add(undefined, { ...heldLink().link, shell });
    const socket = await test.come("tools", { token: "owner", tool: "files" });
    socket.say({ id: 1, do: "delete", path: "/sdcard/all" });
    await settled();
    const act = { action: "instance.delete_file", details: { path: "/sdcard/all" }, ...(outcome && { outcome }) };
    expect(test.acts.map(([, , each]) => each)).toEqual([act]);
  });

  it("counts as done when nobody waits for its end", async () => {
    const test = create();
    test.add(undefined, heldLink().link);
    const socket = await test.come("tools", { token: "owner", tool: "files" });
    socket.say({ id: 1, do: "delete", path: "/sdcard/all" });
    await settled();
    expect(test.acts).toEqual([]);
    socket.leave();
    await settled();
    expect(test.acts).toMatchObject([["u1", expect.any(String), { action: "instance.delete_file" }]]);
    expect(test.acts[0]?.[2]).not.toHaveProperty("outcome");
  });
});

describe("the end of a tool", () => {
  type Server = ReturnType<typeof create>["server"];
  it.each<[string, (server: Server) => unknown, number]>([
    ["a session", (server) => server.cutOff(({ credential }) => credential === "c1"), 4243],
    ["control", (server) => server.setControl(({ user }) => user === "u1", false), 1008],
    ["the device", (server) => server.removeDevice(DEVICE, "ended"), 4244],
    ["the server", (server) => server.stop(), 4244],
  ])("comes at once with that of %s, and ends its program", async (_, end, code) => {
    const test = create();
    const { link, signals } = heldLink();
    test.add(undefined, link);
    const socket = await test.come("tools", { token: "owner", tool: "logcat" });
    expect([signals.length, signals[0]?.aborted, test.server.grants()]).toMatchObject([1, false, [{ user: "u1" }]]);
    void end(test.server);
    await settled();
    expect([socket.closed?.code, signals[0]?.aborted]).toEqual([code, true]);
    const { length } = socket.pictures;
    socket.drain();
    await settled();
    expect(socket.pictures.length).toBe(length);
  });

  it("comes with its page, and nothing runs for nobody", async () => {
    const test = create();
    const { link, signals } = heldLink();
    test.add(undefined, link);
    const socket = await test.come("tools", { token: "owner", tool: "logcat" });
    socket.leave();
    await settled();
    expect(signals[0]?.aborted).toBe(true);
  });

  it("is told in words when the device has no such program", async () => {
    const test = create();
    test.add(undefined, {
      ...heldLink().link,
      spawn: async () => {
        throw new AdbError("REFUSED", "no shell_v2");
      },
    });
    const socket = await test.come("tools", { token: "owner", tool: "shell" });
    expect([last(socket), socket.closed?.code]).toEqual([{ type: "FAIL", error: { code: "unsupported" } }, 1000]);
  });
});

it("a page that does not read holds back its device", async () => {
  const test = create();
  const { link, printed } = heldLink();
  test.add(undefined, link);
  const socket = await test.come("tools");
  socket.unread = 256 * 1024 + 1;
  socket.say({ token: "owner", tool: "logcat" });
  await settled();
  expect(printed.length).toBe(1);
  socket.drain();
  await settled();
  // A window is on its way, and one more part.
  expect(printed.length).toBe(33);
  for (const received of [33 * 64 * 1024 + 1, 0.5, -1]) socket.say({ received });
  await settled();
  expect(printed.length).toBe(33);
  socket.say({ received: 32 * 64 * 1024 });
  await settled();
  expect(printed.length).toBe(65);
});

it("a page has four requests under way", async () => {
  const test = create();
  test.add(undefined, heldLink().link);
  const socket = await test.come("tools", { token: "owner", tool: "apps" });
  for (let id = 1; id <= 5; id++) socket.say({ id, do: "list" });
  await settled();
  expect(socket.sent.slice(1)).toEqual([{ id: 5, error: { code: "busy" } }]);
  // Nor does a device that does not answer keep it waiting for ever.
  for (let beat = 0; beat < 4; beat++) {
    await test.clock.advance(15_000);
    socket.pong();
  }
  await settled();
  expect(socket.sent.slice(2)).toEqual([1, 2, 3, 4].map((id) => ({ id, error: { code: "failed" } })));
});

describe("the log", () => {
  it("comes with what was, goes on as it is written, and is cleared on the device", async () => {
    const { socket, device, ask, used } = await aTool("logcat");
    await vi.waitFor(() => expect(socket.received).toContain("beginning of main"));
    await device.adb.shell(["log", "-t", "Fern", "-p", "e", "it's; a $(leaf)"]);
    await vi.waitFor(() =>
      expect(socket.received).toMatch(/^\d\d-\d\d \S+ +\d+ +\d+ E Fern {4}: it's; a \$\(leaf\)$/m),
    );
    expect(await ask("clear")).toEqual({ id: 1 });
    expect((await device.adb.shell("logcat -d -s Fern")).stdout).not.toContain("leaf");
    expect(await ask("reboot")).toEqual({ id: 2, error: { code: "invalid" } });
    expect(used.length).toBeGreaterThan(0);
    socket.bring("typed");
    await settled();
    expect(socket.closed?.code).toBe(1008);
  });
});

describe("the shell", () => {
  it("is a terminal of this size, and ends with its exit code", async () => {
    const { socket, ask } = await aTool("shell");
    await vi.waitFor(() => expect(socket.received).toMatch(/\$ $/));
    expect(await ask("resize", { rows: 24, columns: 80 })).toEqual({ id: 1 });
    for (const size of [{ rows: 0, columns: 80 }, { rows: 24 }, { rows: 24, columns: 1e9 }, { rows: "24", columns: 1 }])
      expect((await ask("resize", size)).error?.code).toBe("invalid");
    socket.bring("echo 'a  b' | tr ab xy\r");
    await vi.waitFor(() => expect(socket.received).toContain("\r\nx  y\r\n"));
    socket.bring("exit 3\r");
    await vi.waitFor(() => expect(last(socket)).toEqual({ type: "END", exitCode: 3 }));
    await vi.waitFor(() => expect(socket.closed?.code).toBe(1000));
  });
});

const awkward = [
  "it's; rm -rf $(HOME)",
  "-rf",
  "--help",
  'two "words" `id`',
  "line\nbreak",
  " spaced ",
  "*",
  "#c & | > < ~",
  "\\n",
  "ünïcode 🌿",
];

describe("files", () => {
  it("are listed and deleted by whatever name they have, and nothing else is", async () => {
    const { ask, device } = await aTool("files");
    const folder = "/sdcard/Some 'folder' -x";
    for (const name of [...awkward, "stays"])
      await device.adb.push({ path: `${folder}/${name}`, mtime: 86_400, source: [Buffer.from(name)] });
    const names = async () => (await ask("list", { path: folder })).entries?.map(({ name }) => name);
    expect(new Set(await names())).toEqual(new Set([...awkward, "stays"]));
    for (const name of awkward) expect((await ask("delete", { path: `${folder}/${name}` })).error).toBeUndefined();
    expect(await names()).toEqual(["stays"]);
    const { entries } = await ask("list", { path: "/sdcard" });
    expect(entries?.find(({ name }) => name === "Some 'folder' -x")?.kind).toBe("folder");
    expect(entries?.findLastIndex(({ kind }) => kind === "folder")).toBe(
      (entries?.filter(({ kind }) => kind === "folder").length ?? 0) - 1,
    );
    expect((await ask("delete", { path: folder })).error).toBeUndefined();
    expect(await ask("list", { path: folder })).toMatchObject({ error: { code: "missing" } });
  });

  it("of a large folder are told as far as a page shows them", async () => {
    const test = create();
    const entry = (at: number) => ({ name: `${at}`, mode: 0o100644, size: 1, mtime: 1 });
    test.add(undefined, {
      ...heldLink().link,
      stat: async () => ({ mode: 0o040755, size: 0, mtime: 1 }),
      list: async () => Array.from({ length: 10_001 }, (_, at) => entry(at)),
    });
    const socket = await test.come("tools", { token: "owner", tool: "files" });
    socket.say({ id: 1, do: "list", path: "/sdcard" });
    await settled();
    expect(last(socket)).toMatchObject({ id: 1, count: 10_001 });
    expect((last(socket) as { entries: object[] }).entries.length).toBe(10_000);
  });

  it("are at a whole path, which says where it leads", async () => {
    const { ask } = await aTool("files");
    for (const path of ["sdcard", "", "/sdcard/../data", "/sdcard/./a", "/a\0b", "/".padEnd(1002, "x"), 7, undefined])
      for (const what of ["list", "delete"])
        expect([path, await ask(what, { path })]).toMatchObject([path, { error: { code: "invalid" } }]);
  });

  it("that the device needs are not deleted, and what it refuses is told in its words", async () => {
    const { ask, device } = await aTool("files");
    for (const path of ["/", "//", "/sdcard", "/data/"])
      expect(await ask("delete", { path })).toMatchObject({ error: { code: "invalid" } });
    expect((await device.adb.shell("ls -d /sdcard /data")).exitCode).toBe(0);
    expect(await ask("delete", { path: "/system/bin" })).toMatchObject({ error: { code: "refused" } });
    expect((await ask("delete", { path: "/system/bin" })).error?.words).toMatch(/rm: .*(Read-only|Permission)/);
    expect(await ask("list", { path: "/data/data" })).toMatchObject({
      error: { code: "refused", words: expect.stringContaining("Permission denied") },
    });
    expect(await ask("list", { path: "/proc/version" })).toMatchObject({ error: { code: "notFolder" } });
  });

  it("are sent, by whatever name they have", async () => {
    const device = await testDevice();
    opened.push(device);
    const test = create();
    test.add(undefined, device.adb);
    for (const name of awkward) {
      const path = `/sdcard/${name}`;
      await device.adb.push({ path, mtime: 1, source: [Buffer.from(name)] });
      const socket = await test.come("tools", { token: "owner", tool: "download", path });
      await vi.waitFor(() => expect(last(socket)).toEqual({ type: "END", size: Buffer.byteLength(name) }));
      expect([socket.received, socket.sent[0]]).toEqual([name, { type: "READY" }]);
    }
  });

  it.each([
    ["/sdcard/nothing", "missing"],
    ["/sdcard/Download", "invalid"],
    ["relative", "invalid"],
  ])("are not sent from %s", async (path, code) => {
    const { socket } = await aTool("download", { path });
    expect(socket.sent).toEqual([{ type: "FAIL", error: { code } }]);
  });
});

describe("apps", () => {
  it("are listed with their names, opened, emptied and removed", async () => {
    const { ask, device } = await aTool("apps");
    const apk = makeApk({ packageName: "com.example.fern", label: "A fern", activity: ".Main" });
    await device.adb.install({ size: apk.length, source: [apk] });
    const { apps } = await ask("list");
    expect(apps?.[0]).toEqual({ name: "com.example.fern", isSystem: false });
    expect(apps?.some(({ isSystem }) => isSystem)).toBe(true);
    expect((await ask("names")).names).toMatchObject({ "com.example.fern": "A fern" });
    const name = "com.example.fern";
    expect(await ask("launch", { name })).toEqual({ id: 3 });
    expect((await device.adb.shell("dumpsys window | grep mCurrentFocus")).stdout).toContain(name);
    expect(await ask("clear", { name })).toEqual({ id: 4 });
    expect(await ask("uninstall", { name })).toEqual({ id: 5 });
    expect((await ask("list")).apps?.[0]?.name).not.toBe(name);
    expect(await ask("uninstall", { name })).toMatchObject({
      error: { code: "refused", words: expect.stringContaining("not installed") },
    });
    expect(await ask("launch", { name })).toMatchObject({ error: { code: "refused" } });
  });

  it("have names that mean nothing to a shell", async () => {
    const { ask } = await aTool("apps");
    expect(await ask("toString", { name: "a.b" })).toMatchObject({ error: { code: "invalid" } });
    for (const name of ["", "a; reboot", "-k", "a b", "a..x", "a\nb", "x".repeat(224), 7, undefined])
      for (const what of ["launch", "clear", "uninstall"])
        expect([name, await ask(what, { name })]).toMatchObject([name, { error: { code: "invalid" } }]);
  });
});

describe("what is on the screen", () => {
  const all = (node: UiNode): UiNode[] => [node, ...(node.children ?? []).flatMap(all)];

  it("is told with its places, also of a device that is turned", async () => {
    const { ask, device, clock } = await aTool("ui");
    const { tree } = await ask("dump");
    const size =
      /(\d+)x(\d+)/
        .exec((await device.adb.shell("wm size")).stdout)
        ?.slice(1)
        .map(Number) ?? [];
    expect([tree?.width, tree?.height, tree?.rotation, tree?.isCut]).toEqual([...size, 0, false]);
    expect(tree?.root.bounds).toEqual([0, 0, ...size]);
    expect(all(tree?.root as UiNode).length).toBeGreaterThan(0);
    await device.adb.shell("wm user-rotation lock 1");
    await clock.advance(250);
    const turned = (await ask("dump")).tree;
    expect([turned?.width, turned?.height, turned?.rotation]).toEqual([...size.toReversed(), 1]);
    expect((await device.adb.shell("ls /data/local/tmp")).stdout).not.toContain("terrarium-ui");
    expect(await ask("reboot")).toMatchObject({ error: { code: "invalid" } });
    device.device.state.set({ screenOn: false });
    await clock.advance(250);
    expect(await ask("dump")).toMatchObject({
      error: { code: "refused", words: "ERROR: null root node returned by UiTestAutomationBridge." },
    });
  });

  /** A device that dumps when a test says so. */
  async function heldDump() {
    const test = create();
    const runs: { print(text: string): void; fail(error: Error): void }[] = [];
    const link = {
      ...heldLink().link,
      shell: () =>
        new Promise((resolve, reject) =>
          runs.push({
            print: (stdout) => resolve({ exitCode: 0, stdout, stderr: "" }),
            fail: reject,
          }),
        ),
    } as ToolLink;
    test.add(undefined, link);
    const come = () => test.come("tools", { token: "owner", tool: "ui" });
    return { ...test, runs, come };
  }
  const dumped = (size = "") =>
    `${size}UI hierchary dumped to: x\n<?xml version='1.0' ?><hierarchy rotation="0"><node class="a.B" bounds="[0,0][7,9]" /></hierarchy>`;
  const treeOf = (size: string) => ({ tree: expect.objectContaining(JSON.parse(size) as object) as unknown });

  it("is read once at a time, whoever asks; who asks meanwhile shares the next, after a pause", async () => {
    const { runs, come, clock } = await heldDump();
    const [one, two, three] = [await come(), await come(), await come()];
    one.say({ id: 1, do: "dump" });
    await settled();
    for (const each of [two, three]) each.say({ id: 1, do: "dump" });
    await settled();
    expect(runs.length).toBe(1);
    // It goes on for those who are still there.
    one.leave();
    three.leave();
    runs[0]?.print(dumped("Physical size: 70x90\nOverride size: 35x45\n"));
    await settled();
    expect([runs.length, last(two)]).toEqual([1, { type: "READY" }]);
    await clock.advance(250);
    expect(runs.length).toBe(2);
    runs[1]?.print(dumped("Physical size: 70x90\nOverride size: 35x45\n"));
    await settled();
    expect(last(two)).toMatchObject({ id: 1, ...treeOf('{"width":35,"height":45}') });
    two.say({ id: 2, do: "dump" });
    await clock.advance(250);
    runs[2]?.print(dumped());
    await settled();
    expect(last(two)).toMatchObject({ id: 2, ...treeOf('{"width":7,"height":9}') });
  });

  it("is told in words if it cannot be read, and can be asked for again", async () => {
    const { runs, come, clock } = await heldDump();
    const page = await come();
    const answers: unknown[] = [];
    const ends = [
      (run: (typeof runs)[number]) => run.print("ERROR: could not get idle state.\n"),
      (run: (typeof runs)[number]) => run.print(`<?xml version='1.0' ?><!DOCTYPE x><hierarchy>`),
      (run: (typeof runs)[number]) => run.fail(new AdbError("TOO_LARGE", "more than 2 MB")),
    ];
    for (const [at, end] of ends.entries()) {
      page.say({ id: at, do: "dump" });
      await clock.advance(250);
      end(runs[at] as (typeof runs)[number]);
      await settled();
      answers.push((last(page) as Answer).error);
    }
    expect(answers).toEqual([
      { code: "refused", words: "ERROR: could not get idle state." },
      { code: "failed", words: "not a tree at 22" },
      { code: "tooLarge" },
    ]);
  });
});
