import { AdbError } from "@terrarium/adb";
import { describe, expect, it } from "vitest";
import { FakeFiles } from "../testing/fake-files.ts";
import type { FakeByteSocket } from "../testing/fake-viewer.ts";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";
import type { ViewerServerDeps } from "../viewer-server.ts";
import { fileNameOf } from "./put-file.ts";

const ID = "0123-4567-89";
const begin = (name: string, size: number, id?: string) => ({ type: "FILE_UPLOAD", name, size, id });
const done = { type: "FILE_UPLOAD", done: true };
const cancel = { type: "FILE_UPLOAD", cancel: true };
const APK = "PK\u0003\u0004 and the rest";

/** A device that takes files, and one who brings some. */
async function aBringer(deps: Partial<ViewerServerDeps> = {}, hello: object = { type: "token", token: "owner" }) {
  const test = create(deps);
  const files = new FakeFiles();
  test.add(files);
  const socket = await test.come("upload", hello);
  return { ...test, files, socket };
}

/** The codes of what was said; of a failure that of the error. */
const codes = (socket: FakeByteSocket) =>
  socket.sent.map((message) => {
    const { code, error } = message as { code: string; error?: { code: string } };
    return error?.code ?? code;
  });
const last = (socket: FakeByteSocket) => socket.sent.at(-1);
const path = (name: string) => `/sdcard/Download/${name}`;

async function send(socket: FakeByteSocket, name: string, parts: string[], id?: string) {
  socket.say(begin(name, parts.join("").length, id));
  for (const part of parts) socket.bring(part);
  if (id === undefined) socket.say(done);
  await settled();
}

describe("as players speak", () => {
  it("files go into Download, part by part", async () => {
    const { socket, files, used } = await aBringer();
    await send(socket, "notes.txt", ["one ", "two"]);
    expect(codes(socket)).toEqual(["NEXT", "PROGRESS", "NEXT", "PROGRESS", "NEXT", "SUCCESS"]);
    expect([...files.files]).toEqual([[path("notes.txt"), "one two"]]);
    expect(used).toEqual([DEVICE]);
    await send(socket, "more.zip", ["x"]);
    await send(socket, "empty", []);
    expect([...files.files.keys()]).toEqual(["notes.txt", "more.zip", "empty"].map(path));
  });

  it("go where our page says, as they are, and to no place that is none", async () => {
    const { socket, files, acts } = await aBringer();
    for (const name of ["a.apk", "-rf 'x';"]) {
      socket.say({ ...begin(name, 1), folder: "/sdcard/My files" });
      socket.bring("x");
      socket.say(done);
      await settled();
    }
    const paths = ["/sdcard/My files/a.apk", "/sdcard/My files/-rf 'x';"];
    expect([...files.files.keys()]).toEqual(paths);
    const act = (path: string) => ({ action: "instance.upload_file", details: { path, bytes: 1 } });
    expect(acts.map(([, , each]) => each)).toEqual(paths.map(act));
    for (const folder of ["", "Download", "/sdcard/../data", 7, null]) socket.say({ ...begin("b", 1), folder });
    await settled();
    expect(codes(socket).filter((code) => code === "NEXT").length).toBe(4);
  });

  it("APKs are installed", async () => {
    const { socket, files, acts } = await aBringer();
    await send(socket, "A.APK", [APK]);
    expect([...files.files]).toEqual([["apk", APK]]);
    expect(last(socket)).toEqual({ type: "FILE_UPLOAD", code: "SUCCESS", app: { package_name: null, is_open: false } });
    expect(acts).toEqual([["u1", "203.0.113.7", { action: "instance.install_app", details: { package: null } }]]);
  });

  it("a failure before the end is said, and the socket closed so that the player begins anew", async () => {
    const { socket, files, acts } = await aBringer();
    files.refusal = new AdbError("FAILED", "write failed: No space left on device");
    socket.say(begin("big", 100));
    socket.bring("beginning");
    await settled();
    expect(last(socket)).toMatchObject({ code: "FAIL", error: { code: "FILE_REFUSED", details: { reason: "FULL" } } });
    expect(socket.closed?.code).toBe(1012);
    expect([[...files.files], acts]).toEqual([[], []]);
  });

  it("nothing goes on without the player", async () => {
    const { socket, files } = await aBringer();
    socket.say(begin("half", 100));
    socket.bring("beginning");
    await settled();
    socket.leave();
    await settled();
    expect([...files.files]).toEqual([]);
  });
});

describe("with an id", () => {
  it("a file goes on with another socket", async () => {
    const { socket, files, come } = await aBringer();
    socket.say(begin("long", 9, ID));
    socket.bring("one ");
    await settled();
    socket.leave();
    await settled();
    const again = await come("upload", { type: "token", token: "owner" });
    again.say(begin("long", 9, ID));
    expect(last(again)).toEqual({ type: "FILE_UPLOAD", code: "NEXT", id: ID, offset: 4 });
    again.bring("three");
    await settled();
    expect(last(again)).toEqual({ type: "FILE_UPLOAD", code: "SUCCESS", id: ID });
    expect([...files.files]).toEqual([[path("long"), "one three"]]);
  });

  it("what became of it is told again", async () => {
    const { socket, come, clock } = await aBringer();
    await send(socket, "a", ["a"], ID);
    const again = await come("upload", { type: "token", token: "owner" });
    again.say(begin("a", 1, ID));
    await settled();
    expect(codes(again)).toEqual(["NEXT", "SUCCESS"]);
    await clock.advance(60_000);
    const late = await come("upload", { type: "token", token: "owner" });
    late.say(begin("a", 1, ID));
    expect(last(late)).toMatchObject({ code: "NEXT", offset: 0 });
  });

  it("a socket that looks alive brings no more of it", async () => {
    const { socket, files, come } = await aBringer();
    socket.say(begin("a", 2, ID));
    const again = await come("upload", { type: "token", token: "owner" });
    again.say(begin("a", 2, ID));
    socket.bring("x");
    again.bring("ab");
    await settled();
    expect([socket.closed?.code, files.files.get(path("a"))]).toEqual([1013, "ab"]);
  });

  it("the file waits a minute for its client", async () => {
    const { socket, files, clock } = await aBringer();
    socket.say(begin("a", 2, ID));
    socket.bring("x");
    await settled();
    socket.leave();
    await settled();
    await clock.advance(59_000);
    expect(files.files.size).toBe(1);
    await clock.advance(62_000);
    expect(files.files.size).toBe(0);
  });

  it("another person finds nothing", async () => {
    const { socket, come } = await aBringer();
    socket.say(begin("a", 2, ID));
    socket.bring("x");
    const other = await come("upload", { type: "token", token: "colleague" });
    other.say(begin("a", 2, ID));
    expect(last(other)).toMatchObject({ code: "NEXT", offset: 0 });
  });

  it("a file can be cancelled, and the next one begins", async () => {
    const { socket, files } = await aBringer();
    socket.say(begin("a", 100, ID));
    socket.bring("x");
    await settled();
    socket.say(cancel);
    await settled();
    expect([codes(socket).at(-1), files.files.size]).toEqual(["REQUEST_TIMEOUT", 0]);
    await send(socket, "b", ["b"], `${ID}-2`);
    expect(codes(socket).at(-1)).toBe("SUCCESS");
    expect(socket.closed).toBeUndefined();
  });

  it("the device's own words are passed on", async () => {
    const { socket, files } = await aBringer();
    files.refusal = new AdbError("FAILED", "INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #99");
    await send(socket, "a.apk", [APK], ID);
    expect(last(socket)).toMatchObject({
      code: "FAIL",
      id: ID,
      error: { code: "APP_REFUSED", details: { reason: "INSTALL_FAILED_OLDER_SDK" } },
    });
  });
});

describe("limits", () => {
  it.each([
    ["too large", begin("a", 101), "BODY_TOO_LARGE"],
    ["without a name", begin("..", 1), "invalid_request"],
    ["no app", begin("a.apk", 2), "NOT_AN_APP"],
  ])("a file that is %s is refused", async (_, said, code) => {
    const { socket } = await aBringer({ maxFileBytes: 100 });
    socket.say(said);
    await settled();
    expect(codes(socket).at(-1)).toBe(code);
  });

  it("one at a time, and no more bytes than announced", async () => {
    const { socket } = await aBringer();
    socket.say(begin("a", 2, ID));
    socket.say(begin("b", 2, `${ID}-2`));
    expect(codes(socket)).toEqual(["NEXT", "INSTANCE_BUSY"]);
    socket.bring("abc");
    await settled();
    expect(socket.closed?.code).toBe(1008);
  });

  it("four at a time on a device, 120 in a minute", async () => {
    const { come, clock } = await aBringer();
    const one = () => come("upload", { type: "token", token: "owner" });
    for (let more = 0; more < 4; more++) (await one()).say(begin("a", 2));
    const fifth = await one();
    fifth.say(begin("a", 2));
    expect(codes(fifth)).toEqual(["INSTANCE_BUSY"]);
    await clock.advance(120_000);
    const many = await one();
    for (let file = 0; file < 121; file++) await send(many, "a", ["a"], `${ID}-${file}`);
    expect(codes(many).at(-1)).toBe("TOO_MANY_REQUESTS");
  });

  it("whoever is faster than the device is paused", async () => {
    const { socket, files } = await aBringer();
    const { promise, resolve } = Promise.withResolvers<void>();
    files.gate = promise;
    socket.say(begin("a", 2_000_000));
    socket.bring("x", false);
    await settled();
    socket.bring("x".repeat(600_000), false);
    expect(socket.isPaused).toBe(true);
    resolve();
    await settled();
    expect(socket.isPaused).toBe(false);
  });

  it.each([
    ["bad", 4242],
    ["old", 4243],
    ["watcher", 1008],
    ["guest", 1008],
    ["linked", 1008],
  ])("the token %s brings nothing", async (token, code) => {
    const { socket, files } = await aBringer({}, { type: "token", token });
    socket.say(begin("a", 1));
    expect([socket.closed?.code, files.received]).toEqual([code, 0]);
  });

  it("all ends with the session, with the device and with the server, also without its client", async () => {
    const ends = [
      (server: Awaited<ReturnType<typeof aBringer>>["server"]) => server.cutOff(({ user }) => user === "u1"),
      (server: Awaited<ReturnType<typeof aBringer>>["server"]) => server.removeDevice(DEVICE, "ended"),
      (server: Awaited<ReturnType<typeof aBringer>>["server"]) => void server.stop(),
    ];
    for (const end of ends)
      for (const isThere of [true, false]) {
        const { server, socket, files } = await aBringer();
        socket.say(begin("a", 9, ID));
        socket.bring("x");
        await settled();
        if (!isThere) socket.leave();
        await settled();
        expect(server.grants().length).toBeGreaterThan(0);
        end(server);
        await settled();
        expect([files.files.size, server.grants().length]).toEqual([0, 0]);
      }
  });
});

it.each([
  ["a.txt", "a.txt"],
  ["../../data/x", "x"],
  ["C:\\photos\\a b.jpg", "a b.jpg"],
  ["写真.jpg", "写真.jpg"],
  ["..", undefined],
  ["a/", undefined],
  ["", undefined],
  ["a\nb", undefined],
  ["x".repeat(241), undefined],
])("the file %j is called %j", (given, name) => {
  expect(fileNameOf(given)).toBe(name);
});
